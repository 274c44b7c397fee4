// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef LOSSLESS_COMPAT_H
#define LOSSLESS_COMPAT_H

/**
 * @file
 * The one place that knows how ns-3 releases differ. ns-3 exports no version macro, so headers
 * tell: uniform-random-bit-generator.h came with 3.41, as did templated enumeration attributes.
 */

#include "ns3/enum.h"

#if __has_include("ns3/uniform-random-bit-generator.h")
/// Accessor of an enumeration attribute: (enumeration, member or setter and getter).
#define LOSSLESS_ENUM_ACCESSOR(E, ...) MakeEnumAccessor<E>(__VA_ARGS__)
#else
/// Accessor of an enumeration attribute: (enumeration, member or setter and getter).
#define LOSSLESS_ENUM_ACCESSOR(E, ...) MakeEnumAccessor(__VA_ARGS__)
#endif

#endif // LOSSLESS_COMPAT_H
