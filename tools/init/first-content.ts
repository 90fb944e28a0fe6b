import { type CatalogueName, catalogueFor } from '../../shared/labels/page-language.ts';

const ENGLISH = {
  title: (name: string) => `Welcome to ${name}`,
  text: 'Say here in one sentence what you do, and for whom.',
  contact: 'Contact',
  questions: 'Questions',
  question: 'Where do I change this page?',
  answer: 'In `landing.json`, or in the CMS under *Landing*. Every block that has content is shown.',
  blog: 'News',
  contactTitle: 'Write to us',
  contactText: 'Say here who answers, and how soon.',
  privacyTitle: 'Privacy',
  privacyText: 'Say here what you store about visitors, why, and for how long.',
};

const WORDS: Readonly<Record<CatalogueName, typeof ENGLISH>> = {
  en: ENGLISH,
  de: {
    title: name => `Willkommen bei ${name}`,
    text: 'Sagen Sie hier in einem Satz, was Sie tun und für wen.',
    contact: 'Kontakt',
    questions: 'Fragen',
    question: 'Wo ändere ich diese Seite?',
    answer: 'In `landing.json` oder im CMS unter *Landing*. Jeder Block mit Inhalt wird gezeigt.',
    blog: 'Aktuelles',
    contactTitle: 'Schreiben Sie uns',
    contactText: 'Sagen Sie hier, wer antwortet und wie bald.',
    privacyTitle: 'Datenschutz',
    privacyText: 'Sagen Sie hier, was Sie über Besucher speichern, warum und wie lange.',
  },
  ar: {
    title: name => `مرحبًا بكم في ${name}`,
    text: 'قولوا هنا في جملة واحدة ماذا تفعلون ولمن.',
    contact: 'اتصلوا بنا',
    questions: 'أسئلة',
    question: 'أين أغيّر هذه الصفحة؟',
    answer: 'في الملف `landing.json`، أو في نظام إدارة المحتوى ضمن *Landing*. تظهر كل كتلة لها محتوى.',
    blog: 'الأخبار',
    contactTitle: 'اكتبوا إلينا',
    contactText: 'قولوا هنا من يجيب ومتى.',
    privacyTitle: 'الخصوصية',
    privacyText: 'قولوا هنا ماذا تحفظون عن الزوار ولماذا وإلى متى.',
  },
};

/** @returns the files of a new site, by their paths in the content folder. */
export function firstContent(name: string, language: string): Readonly<Record<string, string>> {
  const words = WORDS[catalogueFor(language) ?? 'en'];
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  const page = (title: string, text: string, more = '') => `---\ntitle: ${title}\n${more}---\n\n${text}\n`;
  const contactLink = { title: words.contact, href: '/contacts' };
  const privacyLink = { title: words.privacyTitle, href: '/privacy' };
  return {
    'settings.json': json({
      siteName: name,
      language,
      privacyLink: '/privacy',
      headerLinks: [contactLink],
      footerLinks: [{ title: name, children: [contactLink, privacyLink] }],
    }),
    'landing.json': json({
      title: name,
      description: words.text,
      headerBlock: { kind: 'plain', title: words.title(name), text: words.text, primary: contactLink },
      contactsBlock: { title: words.contactTitle, text: words.contactText },
      faqBlock: {
        title: words.questions,
        items: [{ question: words.question, answer: words.answer }],
      },
    }),
    'main-page.json': json({ title: words.blog, h1: words.blog }),
    // The page shows the landing page's contact block below, with its title and text.
    'pages/contacts.md': page(words.contact, '', 'contactForm: true\n'),
    'pages/privacy.md': page(words.privacyTitle, words.privacyText),
  };
}
