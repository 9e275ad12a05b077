// The page's style sheet: light, and dark where the reader's system is. Classes c0 … c7 are the variants' colours,
// which readers with any colour vision can tell apart.
#pragma once

namespace warptile::bench {

inline constexpr const char *page_style = R"(
:root { --paper: #ffffff; --ink: #1c1f23; --muted: #626a73; --rule: #d9dde2; --panel: #f5f6f8; --bad: #b3261e;
  --c0: #0072b2; --c1: #d98200; --c2: #00876c; --c3: #b35a8f; --c4: #7a5cc0; --c5: #c4451c; --c6: #4b8f00; --c7: #6b7280; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15181c; --ink: #e4e7ea; --muted: #9aa3ad; --rule: #353b43; --panel: #1e2227; --bad: #ff8a80;
    --c0: #56b4e9; --c1: #f0b040; --c2: #3ecfa6; --c3: #e29ac6; --c4: #b39df0; --c5: #ff8f6b; --c6: #9ad14b; --c7: #9aa3ad; }
}
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1080px;
  padding: 24px 20px 60px; }
h1 { font-size: 24px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 40px 0 6px; } h3 { font-size: 15px; margin: 20px 0 4px; }
p { margin: 4px 0 10px; max-width: 75ch; } .muted { color: var(--muted); } ul { margin: 6px 0; padding-left: 20px; }
svg { display: block; max-width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .small { font-size: 11px; } svg .muted, svg .tick { fill: var(--muted); }
svg .axis { fill: var(--ink); font-weight: 600; }
svg .grid { stroke: var(--rule); stroke-width: 1; } svg .one { stroke: var(--ink); stroke-width: 1.5; }
svg .roof { fill: none; stroke: var(--ink); stroke-width: 2; } svg .dashed { stroke-dasharray: 6 4; stroke-width: 1.3; }
svg .joint { stroke: var(--muted); stroke-width: 1; } svg .leader { stroke: var(--muted); stroke-width: .6; }
svg .point { stroke: var(--paper); stroke-width: 1; }
svg .mark { fill: none; stroke: currentColor; stroke-width: 2; }
.c0 { fill: var(--c0); color: var(--c0); } .c1 { fill: var(--c1); color: var(--c1); } .c2 { fill: var(--c2); color: var(--c2); }
.c3 { fill: var(--c3); color: var(--c3); } .c4 { fill: var(--c4); color: var(--c4); } .c5 { fill: var(--c5); color: var(--c5); }
.c6 { fill: var(--c6); color: var(--c6); } .c7 { fill: var(--c7); color: var(--c7); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 8px 0; } .legend i { display: inline-block; width: 11px;
  height: 11px; border-radius: 2px; background: currentColor; margin-right: 6px; }
.legend span { white-space: nowrap; } .legend b { color: var(--ink); font-weight: 400; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; width: 100%; }
th { text-align: left; border-bottom: 2px solid var(--rule); padding: 4px 8px; vertical-align: bottom; }
td { border-bottom: 1px solid var(--rule); padding: 3px 8px; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.first td { border-top: 2px solid var(--rule); } td.bad { color: var(--bad); overflow-wrap: anywhere; } td.note { min-width: 190px; }
details { margin: 8px 0; } summary { cursor: pointer; }
)";

}  // namespace warptile::bench
