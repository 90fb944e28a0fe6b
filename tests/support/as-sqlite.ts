/**
 * Compares a text with the filters of a query as SQLite does for Strapi. `$eq` and `$in` compare code points,
 * and `$eqi` ignores the case of ASCII letters. Composed and decomposed letters differ, as do `Ü` and `ü`.
 * @param field the field in the query, such as `slug` or `category][slug`
 */
export function passesFilters(query: URLSearchParams, field: string, value: unknown): boolean {
  const equal = query.get(`filters[${field}][$eq]`);
  const similar = query.get(`filters[${field}][$eqi]`);
  const several = [...query].flatMap(([name, text]) =>
    name.startsWith(`filters[${field}][$in]`) ? [text] : [],
  );
  return (
    (equal === null || value === equal) &&
    (several.length === 0 || several.some(text => text === value)) &&
    (similar === null || (typeof value === 'string' && asciiLower(value) === asciiLower(similar)))
  );
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase());
}
