// SPDX-License-Identifier: GPL-2.0-only
// Copyright (c) 2026 The lossless authors

#ifndef ATTRIBUTE_TEXT_H
#define ATTRIBUTE_TEXT_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @name Classes and attributes as text
 *
 * ns-3 ends the program on many wrong texts, takes some for another value (-1 for the largest
 * number, 0.5ns for zero), and does not look at the ranges of attributes within a factory. So texts
 * are read here first. A place is what an error begins with, as `--ns3::Dcqcn::MinRate`.
 * @ingroup lossless
 */
//@{

/// Name and value of an attribute.
using NamedText = std::pair<std::string, std::string>;

/**
 * @param text `ns3::Class` or `ns3::Class[Name=value|Name=value]`
 * @param [out] type name of the class
 * @param [out] attributes those given
 * @returns whether the text has this form; if not, nothing changes
 */
bool ReadClassText(const std::string& text, std::string& type, std::vector<NamedText>& attributes);

/**
 * @param name of a class
 * @param candidates known names
 * @returns ", did you mean X?" or nothing
 */
std::string DidYouMean(const std::string& name, const std::vector<std::string>& candidates);

/**
 * @param name of an attribute that a class does not have
 * @param attributes those that it has
 * @returns ", did you mean X?", or ", which has" all of them if none is near
 */
std::string DidYouMeanOrAll(const std::string& name, const std::vector<std::string>& attributes);

/**
 * @param place for the error
 * @param name of a class
 * @param base what it should be or derive from
 * @returns the class, which can be made
 * @throws InputError if it is none, with the nearest name
 */
TypeId FindClass(const std::string& place, const std::string& name, TypeId base);

/// An attribute and the class that declares it, which may be a parent of the one asked for.
struct DeclaredAttribute
{
    TypeId declares;                   //!< the class
    TypeId::AttributeInformation info; //!< what it says of the attribute
};

/**
 * @param place for the error
 * @param type a class
 * @param name of an attribute of it or of a parent that can be set when an object is made
 * @returns what the class says of it
 * @throws InputError if there is none, with the nearest name
 */
DeclaredAttribute FindAttribute(const std::string& place, TypeId type, const std::string& name);

/**
 * @param place for the error
 * @param checker of an attribute or global value
 * @param text its value
 * @throws InputError if it takes no such value
 */
void CheckAttributeText(const std::string& place,
                        const Ptr<const AttributeChecker>& checker,
                        const std::string& text);

/**
 * @param place for the error
 * @param text a class with its attributes
 * @param base what it should be or derive from
 * @returns the class
 * @throws InputError if it is none, or for the first attribute that is wrong
 */
TypeId CheckClassText(const std::string& place, const std::string& text, TypeId base);

//@}

/**
 * Checker of an attribute that takes a class: ns-3's own takes any, and reads a wrong text without
 * mercy. Wrong ones are an InputError wherever they come from: Config::SetDefault(),
 * SetAttribute(), a command line.
 * @ingroup lossless
 */
class ClassChecker : public AttributeChecker
{
  public:
    /**
     * @param place name of the attribute with its class
     * @param base what the class should be or derive from
     * @param except class that it must not be or derive from, empty for none
     */
    ClassChecker(const std::string& place, TypeId base, const std::string& except);

    /**
     * @param place for the error
     * @param text a class with its attributes
     * @throws InputError
     */
    void CheckText(const std::string& place, const std::string& text) const;

    // inherited from AttributeChecker
    bool Check(const AttributeValue& value) const override;
    std::string GetValueTypeName() const override;
    bool HasUnderlyingTypeInformation() const override;
    std::string GetUnderlyingTypeInformation() const override;
    Ptr<AttributeValue> Create() const override;
    bool Copy(const AttributeValue& source, AttributeValue& destination) const override;

  private:
    void CheckKind(const std::string& place, TypeId type) const;

    std::string m_place;  //!< the attribute
    TypeId m_base;        //!< what its value should be
    std::string m_except; //!< and what not
};

/**
 * @tparam T what the class should be or derive from
 * @param place name of the attribute with its class
 * @param except class that it must not be or derive from, empty for none
 * @returns the checker
 * @ingroup lossless
 */
template <typename T>
Ptr<const AttributeChecker>
MakeClassChecker(const std::string& place, const std::string& except = "")
{
    return Create<ClassChecker>(place, T::GetTypeId(), except);
}

} // namespace ns3

#endif // ATTRIBUTE_TEXT_H
