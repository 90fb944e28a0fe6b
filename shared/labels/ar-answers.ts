import type enAnswers from './en-answers.ts';
import type { CatalogueOf } from './labels.ts';

/** The words that the server alone says, in Arabic. */
const arAnswers: CatalogueOf<typeof enAnswers> = {
  blog: 'المدونة',
  blogOf: '{site} – المدونة',
  articlesTagged: 'مقالات بوسم «{tag}»',
  titleOfPage: '{title}، الصفحة {page}',

  // Forms
  checkFields: 'يرجى مراجعة الحقول المعلَّمة.',
  trapFilled: 'يجب أن يبقى هذا الحقل فارغًا، وقد ملأه شيء ما. يرجى إرسال النموذج مرة أخرى.',
  tooSoon: 'أُرسل هذا أسرع مما يستطيع أحد الكتابة. يرجى إرساله مرة أخرى.',
  tooManyMessages:
    'وصلت رسائل كثيرة جدًا من شبكتك. لم يضِع شيء مما كتبته: يرجى المحاولة مرة أخرى بعد عشر دقائق.',
  notAccepted: 'تعذر إرسال رسالتك الآن. لم يضِع شيء مما كتبته: يرجى المحاولة مرة أخرى بعد قليل.',
  messageNotSent: 'لم تُرسل رسالتك',
  send: 'إرسال',

  // Errors
  home: 'الصفحة الرئيسية',
  notFound: 'الصفحة غير موجودة: {path}',
  siteBusy: 'الموقع مزدحم جدًا الآن. يرجى المحاولة مرة أخرى بعد قليل.',
  unreadableRequest: 'تعذر على الخادم قراءة هذا الطلب.',
  ourFault: 'حدث خطأ من جانبنا.',
  tooSlow: 'تستغرق هذه الصفحة وقتًا طويلًا. يرجى المحاولة مرة أخرى بعد قليل.',
  wrongAddress: 'لا يمكن قراءة العنوان.',
  onlyReading: 'هذا العنوان للقراءة فقط.',
  tooLarge: 'هذا أكثر مما يمكن إرساله إلى هذا العنوان.',
  foreignForm: 'لا يمكن إرسال هذا النموذج إلا من الموقع نفسه.',
  onlyForms: 'يقبل هذا العنوان نماذج الموقع عبر POST فقط.',
  onlyFormTypes: 'يقبل هذا العنوان JSON والنماذج البسيطة.',
  status400: 'طلب غير صالح',
  status401: 'غير مصرح به',
  status403: 'ممنوع',
  status405: 'الطريقة غير مسموح بها',
  status408: 'انتهت مهلة الطلب',
  status413: 'الطلب كبير جدًا',
  status414: 'العنوان طويل جدًا',
  status415: 'نوع وسائط غير معروف',
  status421: 'طلب موجه إلى خادم خاطئ',
  status422: 'طلب لا يمكن معالجته',
  status429: 'طلبات كثيرة جدًا',
  status500: 'خطأ داخلي في الخادم',
  status502: 'إجابة خاطئة من خادم آخر',
  status503: 'الخدمة غير متاحة مؤقتًا',
  status504: 'انتهت مهلة خادم آخر',
  contentMissing: 'لا يمكن تحميل محتوى هذه الصفحة الآن. يرجى المحاولة مرة أخرى بعد قليل.',
};

export default arAnswers;
