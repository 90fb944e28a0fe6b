/** @returns the address of the payload of a page's address. */
export function payloadPath(address: string): string {
  const [path = '', query] = address.split('?');
  return `${path.replace(/\/$/, '')}/_payload.json${query === undefined ? '' : `?${query}`}`;
}
