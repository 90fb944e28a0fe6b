/** The site's name when the settings give none or cannot be loaded. */
export const SITE_NAME = 'Corridor';
