// The plan that the autoscheduler finds for a pipeline.
#pragma once

#include <gtest/gtest.h>

#include "plugin/analysis.h"
#include "test/support/h100.h"
#include "test/support/host_mirror.h"
#include "test/support/plans.h"

namespace warptile {

/// None of its kernels has fallen back.
inline Plan found_plan_with(const Parameters &parameters, const Built &b) {
    const Analysis analysis = analyse(b.outputs, cuda_80(), h100(), parameters, Debug());
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    EXPECT_EQ(analysis.fallbacks, 0);
    return analysis.plan;
}

inline Plan found_plan(const Built &b) { return found_plan_with(Parameters(), b); }

}  // namespace warptile
