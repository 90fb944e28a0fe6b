/*
 * Structured data that Google reads, by schema.org type. Required and recommended fields are those of
 * Google's documentation "Structured data markup that Google Search supports". `Service` has no page there.
 * The other types follow the rules of schema.org.
 */

interface TypeRules {
  required: readonly string[];
  recommended: readonly string[];
}

const RULES: Readonly<Record<string, TypeRules>> = {
  BlogPosting: {
    required: [],
    recommended: ['author', 'dateModified', 'datePublished', 'headline', 'image', 'publisher'],
  },
  BreadcrumbList: { required: ['itemListElement'], recommended: [] },
  ListItem: { required: ['name', 'position', 'item'], recommended: [] },
  FAQPage: { required: ['mainEntity'], recommended: [] },
  Question: { required: ['name', 'acceptedAnswer'], recommended: [] },
  Answer: { required: ['text'], recommended: [] },
  Organization: { required: ['name'], recommended: ['url', 'logo'] },
  // Structured data of the person on a profile page.
  Person: { required: ['name'], recommended: ['url'] },
  // Site names.
  WebSite: { required: ['name', 'url'], recommended: [] },
  Service: { required: ['name', 'provider'], recommended: ['description', 'url', 'serviceType', 'image'] },
};
const ADDRESSES: readonly string[] = ['url', 'image', 'logo', 'item', 'sameAs', 'mainEntityOfPage'];
const DATES: readonly string[] = ['datePublished', 'dateModified'];
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** @returns what a block lacks or has in a wrong form, such as `BlogPosting lacks image`. */
export function faultsOf(block: unknown): string[] {
  if (Array.isArray(block)) return block.flatMap(item => faultsOf(item));
  if (typeof block !== 'object' || block === null) return [];
  const { '@type': type, ...properties } = block as Record<string, unknown>;
  const faults: string[] = [];
  // A reference to a thing described elsewhere.
  if (type === undefined) return '@id' in properties ? [] : ['a thing without a type'];
  const rules = RULES[String(type)];
  if (!rules) return [`the type ${String(type)} has no rules`];
  for (const name of [...rules.required, ...rules.recommended])
    if (isEmpty(properties[name])) faults.push(`${type} lacks ${name}`);
  for (const [name, value] of Object.entries(properties)) {
    if (ADDRESSES.includes(name) && ![value].flat().every(isAddress))
      faults.push(`${type}.${name}: no address`);
    if (DATES.includes(name) && !ISO.test(String(value))) faults.push(`${type}.${name}: no date`);
    faults.push(...faultsOf(value));
  }
  if (type === 'BreadcrumbList') faults.push(...faultsOfTrail(properties.itemListElement));
  return faults;
}

function faultsOfTrail(list: unknown): string[] {
  const items = Array.isArray(list) ? (list as { position?: unknown }[]) : [];
  if (items.length < 2) return ['BreadcrumbList has fewer than two items'];
  return items.every(({ position }, at) => position === at + 1) ? [] : ['BreadcrumbList is out of order'];
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const isAddress = (value: unknown) => typeof value === 'string' && /^https?:\/\/[^\s]+$/.test(value);
