/** The consequence of a CMS without tags, for the log. */
export const NO_TAGS = 'articles show no tags, and there are no pages of tags';
