/** A time zone of the IANA database, such as `Europe/Berlin`. */
export function isTimeZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }) !== null;
  } catch {
    return false;
  }
}

/** The form of a currency (ISO 4217), such as `USD`. */
export function isCurrency(value: string): boolean {
  return /^[A-Z]{3}$/.test(value);
}
