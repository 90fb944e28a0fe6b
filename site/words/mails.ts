import type { CatalogueName } from '../../shared/labels/page-language.ts';

/** The words of e-mails, which the CMS sends. `{name}` is a field of the message. */
interface MailWords {
  /** To a subscriber, with the link that confirms. */
  readonly confirm: { readonly subject: string; readonly text: string; readonly otherwise: string };
  /** The subjects of e-mails to the office, by form. */
  readonly subjects: Readonly<
    Record<'contact' | 'subscribe' | 'subscribe-confirm' | 'subscribe-leave' | 'page-form', string>
  >;
  /** To editors, about a draft that is ready, with its two links. */
  readonly ready: { readonly subject: string; readonly preview: string; readonly form: string };
  /** Fields of a message, for the office. */
  readonly consent: string;
  readonly page: string;
}

export const mailWords: Readonly<Record<CatalogueName, MailWords>> = {
  en: {
    confirm: {
      subject: 'Please confirm your subscription',
      text: 'Somebody has entered this address to get our news by e-mail. Open this link and press the button to confirm it:',
      otherwise:
        'If it was not you, do nothing: no news will come. This link takes the address off the list:',
    },
    subjects: {
      contact: 'Message from {name}',
      subscribe: 'Subscription: {email}',
      'subscribe-confirm': 'Subscription confirmed: {email}',
      'subscribe-leave': 'Has left the list: {email}',
      'page-form': 'Form: {topic}',
    },
    ready: {
      subject: 'Ready to publish: {title}',
      preview: 'Preview:',
      form: 'Form:',
    },
    consent: 'Consent',
    page: 'Page',
  },
  de: {
    confirm: {
      subject: 'Bitte bestätigen Sie Ihr Abonnement',
      text: 'Jemand hat diese Adresse eingegeben, um Neues per E-Mail zu bekommen. Öffnen Sie diesen Link und drücken Sie den Knopf, um es zu bestätigen:',
      otherwise:
        'Wenn Sie das nicht waren, tun Sie nichts: Es kommt nichts weiter. Dieser Link nimmt die Adresse von der Liste:',
    },
    subjects: {
      contact: 'Nachricht von {name}',
      subscribe: 'Abonnement: {email}',
      'subscribe-confirm': 'Abonnement bestätigt: {email}',
      'subscribe-leave': 'Hat die Liste verlassen: {email}',
      'page-form': 'Formular: {topic}',
    },
    ready: {
      subject: 'Bereit zum Veröffentlichen: {title}',
      preview: 'Vorschau:',
      form: 'Formular:',
    },
    consent: 'Einwilligung',
    page: 'Seite',
  },
  ar: {
    confirm: {
      subject: 'يرجى تأكيد اشتراكك',
      text: 'أدخل شخص ما هذا العنوان لتصله أخبارنا بالبريد الإلكتروني. افتح هذا الرابط واضغط الزر للتأكيد:',
      otherwise: 'إذا لم تكن أنت فلا تفعل شيئًا: لن تصلك أخبار. هذا الرابط يحذف العنوان من القائمة:',
    },
    subjects: {
      contact: 'رسالة من {name}',
      subscribe: 'اشتراك: {email}',
      'subscribe-confirm': 'تأكيد اشتراك: {email}',
      'subscribe-leave': 'مغادرة القائمة: {email}',
      'page-form': 'نموذج: {topic}',
    },
    ready: {
      subject: 'جاهز للنشر: {title}',
      preview: 'المعاينة:',
      form: 'النموذج:',
    },
    consent: 'الموافقة',
    page: 'الصفحة',
  },
};
