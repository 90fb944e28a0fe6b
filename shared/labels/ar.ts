import type en from './en.ts';
import type { CatalogueOf } from './labels.ts';

/** The words of pages, in Arabic. */
const ar: CatalogueOf<typeof en> = {
  // Around every page
  skipToContent: 'انتقل إلى المحتوى',
  mainNavigation: 'التنقل الرئيسي',
  menu: 'القائمة',
  closeMenu: 'إغلاق',
  allOf: 'الكل: {title}',
  footerNavigation: 'تذييل الصفحة',
  networks: 'الشبكات الاجتماعية',
  followUs: 'تابعنا',
  colours: 'الألوان',
  light: 'فاتح',
  systemTheme: 'حسب النظام',
  dark: 'داكن',
  breadcrumb: 'مسار التنقل',
  loading: 'جارٍ التحميل…',

  // Landing page
  questions: 'أسئلة وأجوبة',
  waysToPay: 'طرق الدفع',
  earnMore: 'اربح أكثر',
  inFigures: 'بالأرقام',
  directions: 'مجالات العمل',
  partners: 'الشركاء',
  contacts: 'اتصل بنا',
  oneCountry: 'أين ندفع',
  countries: {
    zero: 'لا دول',
    one: 'دولة واحدة',
    two: 'دولتان',
    few: '{count} دول',
    many: '{count} دولة',
    other: '{count} دولة',
  },
  worldMap: 'خريطة العالم',
  worldMapBetween: {
    one: 'خريطة العالم مع مسار إلى دولة واحدة',
    two: 'خريطة العالم مع مسارات بين دولتين',
    few: 'خريطة العالم مع مسارات بين {count} دول',
    other: 'خريطة العالم مع مسارات بين {count} دولة',
  },

  // Blog
  allArticles: 'كل المقالات',
  categories: 'التصنيفات',
  noArticles: 'لا توجد مقالات بعد.',
  noArticlesHere: 'لا توجد مقالات هنا بعد.',
  allInCategory: 'الكل',
  allInCategoryOf: 'الكل: مقالات {category}',
  pagesOfList: 'صفحات هذه القائمة',
  tags: 'الوسوم',
  archive: 'الأرشيف',
  months: 'الأشهر',
  page: 'الصفحة {page}',
  newer: 'الأحدث',
  older: 'الأقدم',
  updated: 'آخر تحديث',
  readingTime: {
    one: 'قراءة في دقيقة واحدة',
    two: 'قراءة في دقيقتين',
    few: 'قراءة في {count} دقائق',
    other: 'قراءة في {count} دقيقة',
  },
  onThisPage: 'في هذه الصفحة',
  feed: 'خلاصة RSS',
  readOn: 'تابع القراءة',
  copyLink: 'انسخ الرابط',
  copied: 'نُسخ',
  linkCopied: 'نُسخ الرابط',
  shareByEmail: 'البريد الإلكتروني',
  share: 'مشاركة',

  // Search
  search: 'بحث',
  searchSite: 'ابحث في هذا الموقع',

  // Texts
  done: 'تم',
  toDo: 'لم يتم بعد',
  copyCode: 'نسخ الشيفرة',
  enlarge: 'تكبير الصورة',
  calloutNote: 'ملاحظة',
  calloutTip: 'نصيحة',
  calloutWarning: 'تحذير',
  filmOf: 'فيديو على {provider}',
  playsFrom: 'يُشغَّل من {provider}',
  nextPicture: 'الصورة التالية',
  lastPicture: 'الصورة السابقة',
  customText: 'النص {number}',

  // Forms
  name: 'الاسم',
  email: 'البريد الإلكتروني',
  company: 'الشركة',
  topic: 'الموضوع',
  message: 'الرسالة',
  optional: '(اختياري)',
  trap: 'اترك هذا الحقل فارغًا',
  privacyNote: 'اقرأ {link}.',
  privacyLink: 'ماذا نفعل ببياناتك',
  sendMessage: 'أرسل الرسالة',
  subscribe: 'اشترك',
  sending: 'جارٍ الإرسال…',
  messageSent: 'شكرًا لك. وصلت رسالتك، وسيجيب عنها أحد موظفينا.',
  subscribed: 'شكرًا لك. أُضيف عنوانك إلى القائمة.',
  consent: 'الموافقة',
  subscribeFollows:
    'ستصلك رسالة إلكترونية فيها رابط. لن يُضاف عنوانك إلى القائمة إلا بعد أن تفتحه وتضغط الزر.',
  subscribedConfirm:
    'شكرًا لك. يرجى فتح الرابط في الرسالة الإلكترونية التي في طريقها إليك: عندها فقط يُضاف عنوانك إلى القائمة.',
  newsByEmail: 'الأخبار بالبريد الإلكتروني',
  newsOf: 'جديد {site} من وقت إلى آخر. يمكنك إلغاء الاشتراك متى شئت.',
  checkTyped: 'يرجى مراجعة ما كتبته.',
  notSent: 'تعذر إرسال رسالتك. لم يضِع شيء مما كتبته: يرجى المحاولة مرة أخرى بعد قليل.',
  notSentOffline:
    'يبدو أنك غير متصل بالإنترنت. لم يضِع شيء مما كتبته: يرجى المحاولة مرة أخرى عند عودة الاتصال.',

  // Errors
  pageNotFound: 'الصفحة غير موجودة',
  internalError: 'خطأ داخلي في الخادم',
  request: 'الطلب',
  backToStart: 'العودة إلى البداية',
  tryAgain: 'حاول مرة أخرى',
  suggestions: 'ربما كنت تبحث عن',
  offline: 'أنت غير متصل بالإنترنت',
  offlineNote: 'ستُحمَّل هذه الصفحة فور عودة الاتصال.',
  pageFailed: 'لا يمكن تحميل هذه الصفحة الآن، فيرجى المحاولة مرة أخرى بعد قليل.',
  foreignAnswer: 'أجابت شبكتك بدلًا من هذا الموقع.',
  redirectLoop: 'هذا العنوان يعيد التوجيه في حلقة مفرغة.',
  notShown: 'حدث خطأ أثناء عرض هذه الصفحة.',

  // Scripts of other sites
  scriptsTitle: 'نصوص برمجية من مواقع أخرى',
  scriptsAllowed: 'النصوص البرمجية من المواقع الأخرى مسموح بها.',
  scriptsDeclined: 'النصوص البرمجية من المواقع الأخرى غير مسموح بها.',
  scriptsQuestion: 'هل تسمح بتحميل نصوص برمجية من مواقع أخرى؟',
  scriptsNote:
    'تأتي من {hosts} ويمكنها معرفة الصفحات التي تقرؤها. لا يُحمَّل شيء قبل أن تختار، والموقع يعمل بدونها.',
  scriptsChange: 'تغيير',
  decline: 'رفض',
  allow: 'سماح',
};

export default ar;
