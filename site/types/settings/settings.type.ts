import { component, type TypeDescription } from '../../../shared/content/descriptions.ts';
import { WORD_NAMES } from '../../all-words.ts';
import { icon, navigationLink, offer, title } from '../../components.ts';
import { contactPerson, seo } from '../fields.ts';

const word = component('label', {
  label: 'Word of the interface',
  noun: 'a word of the interface',
  fields: {
    name: {
      kind: 'choice',
      of: WORD_NAMES,
      label: 'Word',
      hint: 'Words with a number have a text for each form: one, few, other',
    },
    text: { kind: 'text', label: 'Text', long: true },
  },
});

const profile = component('profile', {
  label: 'Profile of a social network',
  noun: 'a profile of a social network',
  needs: ['title', 'link'],
  fields: { title, link: { kind: 'address', label: 'Address of the profile' }, icon },
});

const COMPANY = 'The company';

const navigation = { kind: 'navigation', component: navigationLink, many: true } as const;

export const settings = {
  path: 'settings',
  storage: 'single',
  file: 'settings.json',
  aliases: ['setting'],
  label: 'Site settings',
  noun: 'the settings',
  plural: 'settings-list',
  table: 'settings',
  populatesAll: true,
  onEveryPage: true,
  form: [
    ['siteName', 'language'],
    ['timeZone', 'currency'],
    ['headerLinks'],
    ['cta'],
    ['contactPerson', 'afterSending'],
    ['footerLinks'],
    ['logo', 'logoDark'],
    ['shareImage', 'accentColor'],
    ['privacyLink'],
  ],
  fields: {
    siteName: {
      kind: 'text',
      label: 'Name of the site',
      emptyMeans: 'pages name the host in place of the company',
    },
    language: {
      kind: 'text',
      isCode: true,
      label: 'Language',
      hint: 'Of the words around the content, of dates and numbers: en-GB, de-DE or ar-EG, for example. If it is empty, the configuration of the site decides, as for the next two',
    },
    timeZone: {
      kind: 'text',
      isCode: true,
      label: 'Time zone',
      hint: 'Of dates, such as Europe/Berlin',
    },
    currency: {
      kind: 'text',
      isCode: true,
      label: 'Currency',
      hint: 'Of the amounts on the home page: three letters such as EUR',
    },
    labels: {
      kind: 'json',
      component: word,
      many: true,
      label: 'Words of the interface',
      hint: 'Texts of your own in place of those of the site. {count} and other words in braces are filled in',
    },
    privacyLink: {
      kind: 'address',
      label: 'Page about visitors’ data',
      hint: 'Both forms link to it',
    },
    subscribeConsent: {
      kind: 'rich-text',
      label: 'Consent of subscribers',
      hint: 'One sentence, with links if you like. The subscribe form then asks for it, and each subscription has it',
    },
    scriptsConsent: {
      kind: 'rich-text',
      label: 'What scripts of other sites are for',
      hint: 'Shown where visitors are asked for them: each purpose, and a link to the page about it. The title and the buttons are words of the interface',
    },
    headerLinks: { ...navigation, label: 'Links in the header' },
    footerLinks: { ...navigation, label: 'Links in the footer' },
    cta: {
      kind: 'object',
      component: offer,
      label: 'Offer',
      hint: 'A button in the header, beside headings and at the end of pages. Pages and categories may have another',
    },
    contactPerson: {
      ...contactPerson,
      hint: 'Who answers the contact form: the name of an author, who is shown beside it with portrait and hours',
    },
    afterSending: {
      kind: 'text',
      label: 'After sending',
      hint: 'Said to those who have sent a message, such as: You hear from us within one working day',
    },
    socials: {
      kind: 'list',
      group: COMPANY,
      component: profile,
      label: 'Social networks of the company',
      hint: 'For search engines',
    },
    legalName: {
      kind: 'text',
      group: COMPANY,
      label: 'Legal name of the company',
      hint: 'With its form, such as Nordwind GmbH. This and the next three are shown in the footer, and to search engines',
    },
    address: {
      kind: 'text',
      long: true,
      group: COMPANY,
      label: 'Address of the company',
      hint: 'One line for each part',
    },
    register: {
      kind: 'text',
      group: COMPANY,
      label: 'Entry in a register',
      hint: 'Such as Amtsgericht Hamburg, HRB 12345',
    },
    vatId: { kind: 'text', group: COMPANY, label: 'VAT ID', hint: 'The number alone, such as DE123456789' },
    supervisor: {
      kind: 'text',
      group: COMPANY,
      label: 'Supervisory authority',
      hint: 'A sentence or a name for the footer, such as: Supervised by BaFin',
    },
    year: {
      kind: 'text',
      group: COMPANY,
      label: 'Year',
      hint: 'Of the copyright, in the footer, such as 2026 or 2019–2026',
    },
    logo: {
      kind: 'picture',
      label: 'Logo',
      hint: 'In header, footer, e-mails and shared links, and for search engines. A wide drawing has the name; beside a square one the name is written. SVG, PNG or JPEG, at least 112 pixels wide and high; not every mail program shows SVG',
      optional: 'pages have the logo of the build, and search engines are shown its icon',
    },
    logoDark: {
      kind: 'picture',
      label: 'Logo on dark surfaces',
      hint: 'Only beside a logo. Without it, the logo serves both',
      optional: 'the logo is the same on light and dark surfaces',
    },
    shareImage: {
      kind: 'picture',
      label: 'Picture of shared links',
      hint: 'For pages without one. 1200 × 630 pixels look best; no SVG',
      optional: 'links to pages without a picture show a card that the site draws',
    },
    accentColor: {
      kind: 'text',
      isCode: true,
      label: 'Accent colour',
      hint: 'Of links and buttons, such as #0b6b4f. It is used if texts in it can be read on light surfaces; dark ones get a lighter shade',
    },
    refuseAiSearch: {
      kind: 'flag',
      group: seo.group,
      label: 'Stay out of AI search',
      hint: 'robots.txt asks the crawlers of these search engines to leave. Google and Bing are not meant',
    },
    refuseAiTraining: {
      kind: 'flag',
      group: seo.group,
      label: 'Refuse the training of AI models',
      hint: 'robots.txt asks crawlers that collect texts for training to leave',
    },
    refuseAiAnswers: {
      kind: 'flag',
      group: seo.group,
      label: 'Stay out of answers by AI assistants',
      hint: 'robots.txt asks assistants not to read pages for the people who use them',
    },
    keepsTyped: {
      kind: 'flag',
      label: 'Keep quotes and dashes as typed',
      hint: 'Else pages show "a" as “a”, it\'s as it’s, and a hyphen between two words as a dash. Code and addresses always stay as they are',
    },
    customCss: { kind: 'files', label: 'Own stylesheets' },
    scripts: { kind: 'files', label: 'Own scripts' },
  },
} as const satisfies TypeDescription;
