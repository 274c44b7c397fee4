# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
#
# The module for ns-3.35, the last release built by waf. CMakeLists.txt holds the same lists;
# test/check-build-lists.py keeps them equal.

sources = [
    'helper/bundled-files.cc',
    'helper/congestion-tree-helper.cc',
    'helper/dumbbell-helper.cc',
    'helper/fat-tree-helper.cc',
    'helper/file-topology-helper.cc',
    'helper/leaf-spine-helper.cc',
    'helper/lossless-fabric.cc',
    'helper/lossless-study.cc',
    'helper/qbb-helper.cc',
    'helper/scheme-presets.cc',
    'helper/star-helper.cc',
    'helper/study-options.cc',
    'helper/study-progress.cc',
    'helper/study-run.cc',
    'helper/study-table.cc',
    'helper/tcd-unit-helper.cc',
    'helper/topology-link.cc',
    'model/control/constant-rate.cc',
    'model/control/dcqcn.cc',
    'model/control/pcn.cc',
    'model/control/rate-controller.cc',
    'model/control/timely.cc',
    'model/detector/congestion-detector.cc',
    'model/detector/ecn-detector.cc',
    'model/detector/np-ecn-detector.cc',
    'model/detector/tcd-detector.cc',
    'model/frame/ack-extended-transport-header.cc',
    'model/frame/base-transport-header.cc',
    'model/frame/congestion-notification-header.cc',
    'model/frame/frame-format.cc',
    'model/frame/frame.cc',
    'model/frame/invariant-crc-trailer.cc',
    'model/frame/priority-flow-control-header.cc',
    'model/frame/rdma-extended-transport-header.cc',
    'model/frame/vlan-tag-header.cc',
    'model/input-error.cc',
    'model/link/egress-queues.cc',
    'model/link/egress-scheduler.cc',
    'model/link/lossless-queue-disc.cc',
    'model/link/qbb-channel.cc',
    'model/link/qbb-net-device.cc',
    'model/measure/drop-recorder.cc',
    'model/measure/fct-recorder.cc',
    'model/measure/json-writer.cc',
    'model/measure/pause-recorder.cc',
    'model/measure/port-sampler.cc',
    'model/measure/rate-recorder.cc',
    'model/measure/run-summary.cc',
    'model/measure/slowdown-statistics.cc',
    'model/measure/state-recorder.cc',
    'model/rdma/rdma-hw.cc',
    'model/switch/ethernet-switch.cc',
    'model/switch/ingress-buffer.cc',
    'model/switch/shortest-path-routing.cc',
    'model/traffic/arrival-process.cc',
    'model/traffic/flow-list-file.cc',
    'model/traffic/flow-size-distribution.cc',
    'model/traffic/input-file.cc',
    'model/traffic/quantity.cc',
    'model/traffic/rdma-client.cc',
    'model/traffic/topology-file.cc',
]

headers = [
    'helper/bundled-files.h',
    'helper/congestion-tree-helper.h',
    'helper/dumbbell-helper.h',
    'helper/fat-tree-helper.h',
    'helper/file-topology-helper.h',
    'helper/leaf-spine-helper.h',
    'helper/lossless-fabric.h',
    'helper/lossless-study.h',
    'helper/qbb-helper.h',
    'helper/scheme-presets.h',
    'helper/star-helper.h',
    'helper/study-options.h',
    'helper/study-progress.h',
    'helper/study-run.h',
    'helper/study-table.h',
    'helper/tcd-unit-helper.h',
    'helper/topology-link.h',
    'model/control/constant-rate.h',
    'model/control/dcqcn.h',
    'model/control/pcn.h',
    'model/control/rate-controller.h',
    'model/control/timely.h',
    'model/detector/congestion-detector.h',
    'model/detector/ecn-detector.h',
    'model/detector/np-ecn-detector.h',
    'model/detector/tcd-detector.h',
    'model/frame/ack-extended-transport-header.h',
    'model/frame/base-transport-header.h',
    'model/frame/congestion-notification-header.h',
    'model/frame/flow-hash.h',
    'model/frame/frame-format.h',
    'model/frame/frame.h',
    'model/frame/invariant-crc-trailer.h',
    'model/frame/priority-flow-control-header.h',
    'model/frame/rdma-extended-transport-header.h',
    'model/frame/vlan-tag-header.h',
    'model/input-error.h',
    'model/link/egress-queues.h',
    'model/link/egress-scheduler.h',
    'model/link/frame-sink.h',
    'model/link/link-time.h',
    'model/link/lossless-queue-disc.h',
    'model/link/pause-gate.h',
    'model/link/qbb-channel.h',
    'model/link/qbb-net-device.h',
    'model/link/reusable-event.h',
    'model/lossless-compat.h',
    'model/measure/drop-recorder.h',
    'model/measure/fct-recorder.h',
    'model/measure/json-writer.h',
    'model/measure/pause-recorder.h',
    'model/measure/port-sampler.h',
    'model/measure/rate-recorder.h',
    'model/measure/run-summary.h',
    'model/measure/slowdown-statistics.h',
    'model/measure/state-recorder.h',
    'model/rdma/rdma-hw.h',
    'model/rdma/rdma-queue-pair.h',
    'model/switch/ethernet-switch.h',
    'model/switch/ingress-buffer.h',
    'model/switch/shortest-path-routing.h',
    'model/traffic/arrival-process.h',
    'model/traffic/flow-list-file.h',
    'model/traffic/flow-size-distribution.h',
    'model/traffic/flow-spec.h',
    'model/traffic/input-file.h',
    'model/traffic/quantity.h',
    'model/traffic/rdma-client.h',
    'model/traffic/topology-file.h',
]

test_sources = [
    'test/lossless-link-test-suite.cc',
    'test/lossless-queue-disc-test-suite.cc',
    'test/lossless-rdma-test-suite.cc',
    'test/lossless-switch-test-suite.cc',
    'test/lossless-tcd-test-suite.cc',
    'test/lossless-topology-test-suite.cc',
]


def build(bld):
    # Where the workloads of the examples are
    defines = ['LOSSLESS_DATA_DIR="%s"' % bld.path.find_node('examples').abspath()]
    # What summary.json says of ns-3
    version = bld.root.find_node(bld.top_dir).find_node('VERSION').read().strip()
    defines.append('LOSSLESS_NS3_VERSION="%s"' % version)
    module = bld.create_ns3_module(
        'lossless', ['core', 'network', 'internet', 'traffic-control', 'applications']
    )
    module.source = sources
    module.defines = defines
    module_headers = bld(features='ns3header')
    module_headers.module = 'lossless'
    module_headers.source = headers
    module_test = bld.create_ns3_module_test_library('lossless')
    module_test.source = test_sources
    module_test.defines = defines
    if bld.env.ENABLE_EXAMPLES:
        bld.recurse('examples')
