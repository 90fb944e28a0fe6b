/** The site's language, for `<html lang>`, and the locale of every date and number it writes. */
export const SITE_LOCALE = 'en-GB';
export const SITE_LANGUAGE = 'en';
/** The name of the site where the content that carries it is out of reach. */
export const SITE_NAME = 'Corridor';
