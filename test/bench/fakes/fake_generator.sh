#!/usr/bin/env bash
# Behaves as Halide's generator main does on the outside, without Halide: lists its one generator `fake` when it is called
# with nothing, writes files of the right names, and fails or takes forever where the parameter `mode` says so.
folder=. name= outputs= mode= report=
if [ $# = 0 ]; then
    printf 'Unhandled exception: Error: Either -g <name> or -r must be specified; available Generators are:\n    fake\n' >&2
    exit 1
fi
while [ $# -gt 0 ]; do
    case $1 in
    -o) folder=$2; shift 2 ;;
    -n | -r) name=$2; shift 2 ;;
    -e) outputs=$2; shift 2 ;;
    -[gfp]) shift 2 ;;
    mode=*) mode=${1#mode=}; shift ;;
    autoscheduler.report=*) report=${1#autoscheduler.report=}; shift ;;
    width=*)
        echo "Unhandled exception: Error: Generator fake has no GeneratorParam named: width" >&2
        exit 1
        ;;
    *) shift ;;
    esac
done
case $mode in
slow) sleep 60 ;;
broken)
    printf 'Warning: nothing to worry about\nUnhandled exception: Error: Func f cannot be\nscheduled like this\n' >&2
    exit 1
    ;;
esac
if [ -n "$report" ] && [ "$mode" != plain ]; then
    echo '{"notices": [{"func": "f", "reason": "is slow"}, {"func": "g", "reason": "is on the host"}]}' >"$report"
fi
echo object >"$folder/$name.o"
echo registration >"$folder/$name.registration.cpp"
case ,$outputs, in *,device_code,*) echo "code $mode" >"$folder/$name.device_code" ;; esac
