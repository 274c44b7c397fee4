// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef USER_DEFAULTS_H
#define USER_DEFAULTS_H

#include "ns3/attribute.h"
#include "ns3/object.h"
#include "ns3/scheme-presets.h"
#include "ns3/type-id.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @name What the user set as the default of an attribute
 *
 * A default is the user's if Config::SetDefault(), a command line, ConfigStore or the environment
 * variable NS_ATTRIBUTE_DEFAULT set it. ns-3 keeps the class's own beside the present one, and
 * reads the variable only when it makes an object; the variable comes before the others.
 * @ingroup lossless
 */
//@{

/// An attribute and the value that the user gave it.
struct AttributeDefault
{
    std::string type;  //!< name of the class that declares it
    std::string name;  //!< its name
    std::string value; //!< value as text
};

/**
 * @param value of an attribute
 * @param checker of the attribute
 * @returns it as text that reads back to the same, in the units of the command line
 */
std::string AttributeText(const AttributeValue& value, const Ptr<const AttributeChecker>& checker);

/**
 * @param type name of a class that has the attribute
 * @param name of the attribute
 * @param [out] value what the user set, as text
 * @returns whether the user did; if not, value stays
 */
bool FindUserDefault(const std::string& type, const std::string& name, std::string& value);

/**
 * @param type name of a class
 * @param name of its attribute
 * @returns whether the user set a default
 */
bool IsSetByUser(const std::string& type, const std::string& name);

/**
 * @param type name of a class
 * @param name of its attribute
 * @returns whether the user set another default than the class's own, which a file of ConfigStore
 * holds for every attribute
 */
bool IsChangedByUser(const std::string& type, const std::string& name);

/// @returns what the user set, of all classes, by name of class and attribute
std::vector<AttributeDefault> GetUserDefaults();

/**
 * @returns what NS_ATTRIBUTE_DEFAULT sets, in its order
 * @throws InputError if a class, an attribute or a value in it is wrong: ns-3 would ignore it
 */
std::vector<AttributeDefault> ReadEnvironmentDefaults();

/**
 * @param scheme whose classes and attributes are looked at
 * @throws InputError for a class that does not exist or is of the wrong kind, and for an attribute
 * or value that its class does not take
 */
void CheckScheme(const Scheme& scheme);

/**
 * @param scheme which CheckScheme() passes
 * @param defaults values to be taken instead of the scheme's
 * @returns the scheme with them, also within values that are classes, as MercuryWindow's
 * Controller; what it does not set it still leaves to the class
 */
Scheme WithAttributes(const Scheme& scheme, const std::vector<AttributeDefault>& defaults);

/**
 * @param scheme which CheckScheme() passes
 * @returns the same with the user's defaults
 */
Scheme WithUserDefaults(const Scheme& scheme);

/**
 * @param object any
 * @returns classes that its attributes name, as MercuryWindow's Controller, with their parents
 */
std::vector<TypeId> ClassesWithin(const Ptr<const Object>& object);

/**
 * @param scheme which CheckScheme() passes
 * @returns classes that it makes objects of
 */
std::vector<TypeId> ClassesOf(const Scheme& scheme);

//@}

/**
 * The defaults of some classes at one time, to find those that changed when it was too late.
 * @ingroup lossless
 */
class DefaultsSnapshot
{
  public:
    /// @param classes whose attributes, and parents' attributes, are remembered
    void Take(const std::vector<TypeId>& classes);

    /// @throws InputError if one has changed, naming it
    void Check() const;

  private:
    /// One attribute.
    struct Entry
    {
        TypeId type;                     //!< class that declares it
        std::size_t index;               //!< its place in it
        Ptr<const AttributeValue> value; //!< default at that time
    };

    std::vector<Entry> m_entries; //!< each once
};

} // namespace ns3

#endif // USER_DEFAULTS_H
