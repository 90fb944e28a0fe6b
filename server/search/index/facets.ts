/** @returns the words of the column `facets` that hits must have. */
export function facetsOf(type: string | null, category: string | null): readonly string[] {
  return [
    ...(type === null ? [] : [`type${letters(type)}`]),
    ...(category === null ? [] : [`category${letters(category)}`]),
  ];
}

/** @returns a text as one word of the index, whatever its characters. */
function letters(text: string): string {
  return Buffer.from(text).toString('hex');
}
