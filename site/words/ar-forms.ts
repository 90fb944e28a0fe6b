import type { CatalogueOf } from '../../shared/labels/page-language.ts';
import type enForms from './en-forms.ts';

const arForms: CatalogueOf<typeof enForms> = {
  missingName: 'يرجى كتابة اسمك.',
  missingMessage: 'يرجى كتابة رسالة.',
  wrongEmail: 'يرجى كتابة عنوان بريد إلكتروني كامل، مثل name@example.com.',
  wrongField: 'يرجى كتابة نص.',
  wrongKey: 'يجب أن يكون المفتاح من نوع UUID.',
  unknownForm: 'لا يوجد نموذج كهذا.',
  missingConsent: 'يرجى الموافقة على هذه الجملة.',
  changedConsent: 'تغيّرت هذه الجملة. يرجى إعادة تحميل الصفحة وقراءتها والموافقة عليها.',
  tooLong: {
    one: 'يرجى استخدام حرف واحد على الأكثر.',
    two: 'يرجى استخدام حرفين على الأكثر.',
    few: 'يرجى استخدام {count} أحرف على الأكثر.',
    other: 'يرجى استخدام {count} حرفًا على الأكثر.',
  },
  lineBreaks: 'يرجى حذف فواصل الأسطر ورموز التحكم.',
  controlCharacters: 'يرجى حذف رموز التحكم.',
  stackedCharacters: 'يرجى حذف الرموز المكدسة بعضها فوق بعض.',
};

export default arForms;
