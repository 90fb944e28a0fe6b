import {
  type BesideField,
  type BlockDescription,
  type ComponentDescription,
  component,
  type FieldDescriptions,
} from './descriptions.ts';

/** The name for an editor's own text in the list of blocks. A text may also have no name. */
export const OWN_TEXT = 'ownText';

type BlockWithFields = BlockDescription & { readonly fields: FieldDescriptions };

interface OwnField<Fields> {
  readonly kind: 'object';
  readonly label: string;
  readonly component: Omit<ComponentDescription, 'fields' | 'needs'> & { readonly fields: Fields };
}
type OwnFields<Blocks extends BlockDescription> = {
  readonly [Block in Extract<Blocks, BlockWithFields> as `${Block['name']}Block`]: OwnField<Block['fields']>;
};
type BesideOf<Block> = Block extends { readonly beside: infer Beside } ? Beside[keyof Beside] : never;
type BesideFields<Blocks extends BlockDescription> = {
  readonly [Field in Extract<BesideOf<Blocks>, BesideField> as Field['wire']]: Field;
};
type LandingFields<Blocks extends BlockDescription> = OwnFields<Blocks> & BesideFields<Blocks>;

export function ownFieldOf<Name extends string>({ name }: { readonly name: Name }): `${Name}Block` {
  return `${name}Block`;
}

export function landingFields<Block extends BlockDescription>(
  blocks: readonly Block[],
): LandingFields<Block> {
  const fields = blocks.flatMap(block => [
    ...(block.fields ? [[ownFieldOf(block), ownField(block, block.fields)] as const] : []),
    ...Object.values(block.beside ?? {}).map(
      field => [field.wire, { ...field, group: block.label }] as const,
    ),
  ]);
  // The cast is safe: `LandingFields` takes the same names and descriptions from the blocks.
  return Object.fromEntries(fields) as unknown as LandingFields<Block>;
}

function ownField({ name, label, noun }: BlockDescription, fields: FieldDescriptions) {
  const own = component(`${kebabOf(name)}-block`, { label, noun, fields });
  return { kind: 'object', label, group: label, component: own } as const;
}

export function kebabOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}
