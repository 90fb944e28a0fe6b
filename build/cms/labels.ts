import type { ContentTypeName, contentTypes } from '../../shared/content/content-types.ts';

type Fields = typeof contentTypes;
/** The names of all fields of all types, without those that Strapi keeps by itself. */
type FieldName = Exclude<
  { [Type in ContentTypeName]: keyof Fields[Type]['fields'] & string }[ContentTypeName],
  'updatedAt'
>;
type FieldOfType = {
  [Type in ContentTypeName]: `${Type}.${keyof Fields[Type]['fields'] & string}`;
}[ContentTypeName];

/** The words that an editor reads beside a field. */
export interface FieldLabel {
  readonly label: string;
  /** One line below the input. */
  readonly hint?: string;
  /** A line below the input of an entry, which does not fit a component: it speaks of the entry's page. */
  readonly pageHint?: string;
  /** The input has several lines. */
  readonly long?: true;
}
export interface TypeLabel {
  /** Entries are saved as drafts first and shown when they are published. Entries of other types are shown as soon as they are saved. */
  readonly drafts?: true;
  /** The field that names an entry in lists. Strapi takes the first field of one line otherwise. */
  readonly titleField?: string;
  /** Fields that the form leaves out, because another one counts more. Their values stay, and the site shows them where the other is empty. */
  readonly hidden?: readonly string[];
}

/** More about the types for the panel than their names (`shared/content/type-names.ts`). */
export const TYPE_LABELS: Readonly<Partial<Record<ContentTypeName, TypeLabel>>> = {
  article: { drafts: true },
  'business-solution': { drafts: true },
  commerce: { drafts: true },
  page: { drafts: true },
  // The title of the first block is the heading.
  landing: { drafts: true, hidden: ['h1'] },
  'landing-position': { titleField: 'block' },
};

/** The labels of fields by their names. The compiler asks for a line for each field of the description. */
export const FIELD_LABELS: Readonly<Record<FieldName, FieldLabel>> = {
  title: { label: 'Title', pageHint: 'In lists and in the tab of the browser' },
  description: {
    label: 'Description',
    hint: 'Below the heading, in lists and for search engines',
    long: true,
  },
  h1: { label: 'Heading', hint: 'Only if the heading of the page differs from the title' },
  slug: {
    label: 'Address',
    hint: 'The end of the page’s address. It follows the title until the page is published',
  },
  body: { label: 'Text' },
  sections: {
    label: 'Sections',
    hint: 'Shown after the text, in this order: quotations, pictures, films, galleries, callouts. Drag to sort',
  },
  questions: { label: 'Questions and answers', hint: 'Shown below the text' },
  seoTitle: { label: 'Title for search engines', hint: 'Only if it differs from the title' },
  seoDescription: {
    label: 'Description for search engines',
    hint: 'Only if it differs from the description',
    long: true,
  },
  seoImage: { label: 'Picture of shared links', hint: 'Without it, shared links show the cover' },
  seo: { label: 'Search engines', hint: 'Only where the values of the page itself do not fit' },
  metaTitle: { label: 'Title for search engines' },
  metaDescription: { label: 'Description for search engines', long: true },
  metaImage: { label: 'Picture of shared links' },
  canonicalURL: { label: 'Canonical address' },
  metaRobots: { label: 'Rules for search engines' },
  date: {
    label: 'Date',
    hint: 'Shown, and sorts the lists. The article is not shown before it. Set at the first publication if it is empty',
  },
  cover: { label: 'Cover' },
  category: { label: 'Category', hint: 'An article without a category has no address and is not shown' },
  author: { label: 'Author' },
  tags: { label: 'Tags', hint: 'Each tag has a page with its articles' },
  name: { label: 'Name' },
  position: { label: 'Position', hint: 'Such as “Head of payouts”' },
  image: { label: 'Picture' },
  previousSlugs: {
    label: 'Former addresses',
    hint: 'The last part of each former address, one in each line: visitors who ask for it are sent to the present one',
  },
  order: {
    label: 'Place in the list',
    hint: 'The smallest number comes first. Entries without one come last',
  },
  contactForm: { label: 'Show the contact form below the text' },
  from: { label: 'Old address', hint: 'Such as /old-page, or /old/** for all addresses below /old' },
  to: { label: 'New address', hint: 'Such as /about or https://shop.example.com. Empty for 410' },
  statusCode: { label: 'Status', hint: '307 and 302: for now. 308 and 301: for ever. 410: the page is gone' },
  replacesPage: { label: 'Although a page is there', hint: 'Nobody sees that page any more' },
  link: { label: 'Address of the link' },
  icon: { label: 'Icon' },
  headerBlock: { label: 'First block' },
  paymentsBlock: { label: 'Block “Payment methods”' },
  directionsBlock: { label: 'Block “Directions”' },
  partnersBlock: { label: 'Block “Partners”' },
  earnMoreBlock: { label: 'Block “Earn more”' },
  contactsBlock: { label: 'Block “Contacts”' },
  faqBlock: { label: 'Block “Questions”' },
  metricsBlockUsdList: { label: 'Block “Figures”: amounts', hint: 'In the currency of the settings' },
  metricsBlockPositiveQualities: { label: 'Block “Figures”: qualities' },
  contactsListWithCheckmarks: { label: 'Block “Contacts”: list with check marks' },
  positionsAndCustomBlocks: {
    label: 'Order of the blocks',
    hint: 'Drag to sort. A block that is not in the list is not shown; an empty list shows all',
  },
  subscribeBlockSocials: { label: 'Block “Subscribe”: social networks' },
  faqBlockContent: { label: 'Block “Questions”: text beside the questions' },
  schema1: { label: 'Structured data 1', hint: 'JSON-LD for search engines' },
  schema2: { label: 'Structured data 2', hint: 'JSON-LD for search engines' },
  schema3: { label: 'Structured data 3', hint: 'JSON-LD for search engines' },
  countries_list: { label: 'Block “Countries”', hint: 'In the order of the page: drag to sort' },
  block1Icons: { label: 'First block: icons', hint: 'The caption of a file is the text beside its icon' },
  paymentBlockImages: { label: 'Block “Payment methods”: pictures' },
  siteName: { label: 'Name of the site' },
  language: {
    label: 'Language',
    hint: 'Of the words around the content, of dates and numbers: en-GB, de-DE or ar-EG, for example. If it is empty, the configuration of the site decides, as for the next two',
  },
  timeZone: { label: 'Time zone', hint: 'Of dates, such as Europe/Berlin' },
  currency: { label: 'Currency', hint: 'Of the amounts on the home page: three letters such as EUR' },
  labels: {
    label: 'Words of the interface',
    hint: 'Texts of your own in place of those of the site. {count} and other words in braces are filled in',
  },
  privacyLink: { label: 'Page about visitors’ data', hint: 'Both forms link to it' },
  subscribeConsent: {
    label: 'Consent of subscribers',
    hint: 'One sentence, with links if you like. The subscribe form then asks for it, and each subscription has it',
  },
  headerLinks: { label: 'Links in the header' },
  footerLinks: { label: 'Links in the footer' },
  socials: { label: 'Social networks of the company', hint: 'For search engines' },
  href: { label: 'Address', hint: 'A path such as /about, https://…, mailto:… or tel:…' },
  children: { label: 'Links below it' },
  question: { label: 'Question' },
  answer: { label: 'Answer' },
  text: { label: 'Text', long: true },
  eyebrow: { label: 'Line above the title' },
  primary: { label: 'First button' },
  secondary: { label: 'Second button' },
  items: { label: 'Items', hint: 'In the order of the page: drag to sort' },
  steps: { label: 'Steps', hint: 'In the order of the page: drag to sort' },
  logo: { label: 'Logo' },
  shareImage: {
    label: 'Picture of shared links',
    hint: 'For pages without one. 1200 × 630 pixels look best; no SVG',
  },
  email: { label: 'E-mail address' },
  phone: { label: 'Telephone number' },
  address: { label: 'Postal address' },
  value: { label: 'Amount' },
  label: { label: 'Text below the amount' },
  note: { label: 'Note', hint: 'Small print' },
  block: { label: 'Block', hint: 'ownText for a text of your own' },
  custom: { label: 'Own text' },
  anchor: { label: 'Name for links', hint: 'Links to /#name lead to this text' },
  tone: { label: 'Kind', hint: 'note, tip or warning' },
  file: { label: 'File' },
  files: { label: 'Pictures', hint: 'The caption of a file is shown below its picture' },
  caption: { label: 'Caption' },
  captions: {
    label: 'Captions',
    hint: 'A file in the form WebVTT (.vtt), for those who do not hear the film',
  },
  poster: { label: 'Picture', hint: 'Shown before the film plays' },
  customCss: { label: 'Own stylesheets' },
  scripts: { label: 'Own scripts' },
};

/** Labels of single fields that differ from those of other types. */
export const LABELS_OF_TYPES: Readonly<Partial<Record<FieldOfType, FieldLabel>>> = {
  'author.description': { label: 'About the author', long: true },
  'author.slug': { label: 'Address', hint: 'The last part of /blog/authors/… Made from the name if empty' },
  'tag.slug': { label: 'Address', hint: 'The last part of /blog/tags/… Made from the name if empty' },
  'country.name': { label: 'Name in English', hint: 'The map finds the country by it' },
  'country.title': { label: 'Name as shown', hint: 'Only if it differs from the name in English' },
  'country.image': { label: 'Flag' },
  'checkmark.text': { label: 'Text' },
  'media-section.file': {
    label: 'File',
    hint: 'A picture, a film (MP4, WebM), a sound (MP3, M4A), or another file to download',
  },
  'embed-section.href': { label: 'Address', hint: 'Of a film on YouTube or Vimeo, as the browser shows it' },
  'embed-section.title': { label: 'Title of the film' },
  'payments-block.link': { label: 'Button' },
  'earn-more-block.link': { label: 'Button' },
  'label.name': { label: 'Word', hint: 'Words with a number have a text for each form: one, few, other' },
  'label.text': { label: 'Text', long: true },
  'profile.link': { label: 'Address of the profile' },
  'settings.logo': {
    label: 'Logo',
    hint: 'For search engines. At least 112 pixels wide and high; a square looks best',
  },
  'social.link': { label: 'Address of the profile' },
  'seo.canonicalURL': {
    label: 'Canonical address',
    hint: 'Only if the text was first published elsewhere: the address of that page',
  },
  'seo.metaRobots': {
    label: 'Rules for search engines',
    hint: 'noindex hides the page from search engines, from the sitemap and from feeds',
  },
  'landing.title': { label: 'Title', hint: 'In the tab of the browser' },
  'main-page.title': { label: 'Title', hint: 'In the tab of the browser' },
};
