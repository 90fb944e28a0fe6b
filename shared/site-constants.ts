/** The site's language, for `<html lang>`, and the locale of every date and number it writes. */
export const SITE_LOCALE = 'en-GB';
export const SITE_LANGUAGE = 'en';
/** The site's name when the settings give none or cannot be loaded. */
export const SITE_NAME = 'Corridor';
