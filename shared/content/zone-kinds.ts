import { pageBlocks } from '../../site/blocks.ts';
import { sections } from '../../site/sections.ts';
import type { BlockDescription, ComponentDescription } from './descriptions.ts';
import { kebabOf } from './landing-fields.ts';

/** @returns the component name, in a dynamic zone, of a section (`quote`) or a block (`earnMore`). */
export function zoneComponent(kind: string): string {
  return `${kebabOf(kind)}-section`;
}

interface ZoneBlock {
  readonly block: BlockDescription;
  readonly component: ComponentDescription;
}

/** @returns a component with all fields that a block shows, by the block's names. */
export function wholeBlock({ name, label, noun, fields, beside, needsOneOf }: BlockDescription) {
  const kind = { name: zoneComponent(name), path: null, storage: 'component', file: null } as const;
  const all = { ...fields, ...beside };
  return {
    ...kind,
    label,
    noun,
    fields: all,
    ...(needsOneOf && { needsOneOf }),
  } satisfies ComponentDescription;
}

const blocks: readonly ZoneBlock[] = pageBlocks.map((block: BlockDescription) => ({
  block,
  component: wholeBlock(block),
}));

/** @returns the block of an item in a dynamic zone; undefined for a section and for an unknown component. */
export function zoneBlock(item: unknown): ZoneBlock | undefined {
  const name = typeof item === 'object' && item !== null && '__component' in item && item.__component;
  return blocks.find(({ component }) => `site.${component.name}` === name);
}

export const zoneComponents: readonly ComponentDescription[] = [
  ...sections,
  ...blocks.map(({ component }) => component),
];
