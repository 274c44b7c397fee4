# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
#
# The module for ns-3.35, the last release built by waf. The lists of files are CMakeLists.txt's.

import re


def cmake_lists(node):
    """The plain `set(lossless_name item...)` lists of a CMakeLists.txt, by name."""
    text = re.sub('#.*', '', node.read())
    return {
        name: items.split()
        for name, items in re.findall(r'\bset\(\s*lossless_(\w+)([^()]*)\)', text)
    }


def build(bld):
    lists = cmake_lists(bld.path.find_node('CMakeLists.txt'))
    # Where the workloads of the examples are
    defines = ['LOSSLESS_DATA_DIR="%s"' % bld.path.find_node('examples').abspath()]
    # What summary.json says of ns-3
    version = bld.root.find_node(bld.top_dir).find_node('VERSION').read().strip()
    defines.append('LOSSLESS_NS3_VERSION="%s"' % version)
    module = bld.create_ns3_module(
        'lossless', ['core', 'network', 'internet', 'traffic-control', 'applications']
    )
    module.source = lists['sources']
    module.defines = defines
    module_headers = bld(features='ns3header')
    module_headers.module = 'lossless'
    module_headers.source = lists['headers']
    module_test = bld.create_ns3_module_test_library('lossless')
    module_test.source = lists['test_sources']
    module_test.defines = defines
    if bld.env.ENABLE_EXAMPLES:
        bld.recurse('examples')
