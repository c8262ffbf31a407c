import type { Area } from './catalogue.ts';
import type { Dice } from './dice.ts';
import type { LanguageCode } from './names.ts';

/** What people write; {area} is a place. */
const messages: Readonly<Record<LanguageCode, readonly string[]>> = {
  en: [
    'Two bedrooms with a sea view in {area}, please. We arrive in January.',
    'Is the payment plan for {area} still 60/40? Please call after 6 pm.',
    "I'd like to see the show apartment in {area} this weekend 🙂",
    'Looking for an investment in {area}, what is the service charge per sq ft?',
    'Do you have anything in {area} that allows a dog?',
  ],
  ar: [
    'أرغب في شقة غرفتين وصالة في {area} بإطلالة بحرية',
    'ما هي خطة الدفع في {area}؟ الرجاء الاتصال مساءً.',
    'السلام عليكم، هل الفيلا في {area} متاحة للمعاينة هذا الأسبوع؟',
    'أبحث عن استثمار في {area} بميزانية ٢ مليون درهم',
  ],
  ru: [
    'Интересует квартира с видом на море в районе {area}.',
    'Можно ли оплатить рассрочкой в {area}? Напишите в WhatsApp.',
  ],
  hi: [
    'Kya {area} mein 2 BHK available hai? Budget 1.5 million AED.',
    '{area} में तीन बेडरूम का विला चाहिए, कृपया कॉल करें।',
  ],
  fr: ['Bonjour, je cherche un appartement à {area}, proche de la plage.'],
  zh: ['您好，我想咨询{area}的两居室公寓，请问首付多少？'],
};

export function messageIn(language: LanguageCode, area: Area, dice: Dice): string {
  const place = language === 'ar' ? (area.nameAr ?? area.name) : area.name;
  return dice.pick(messages[language]).replace('{area}', place);
}

const replies: Readonly<Record<'customer' | 'agency', readonly string[]>> = {
  customer: [
    'Hi, is it still available?',
    'هل السعر قابل للتفاوض؟',
    'Could you send the brochure?',
    'Yes, tomorrow at five works.',
  ],
  agency: ['Good morning! Which area do you have in mind?', 'أهلاً بك، تم إرسال الكتيّب.'],
};

export function chatLine(direction: 'inbound' | 'outbound', dice: Dice): string {
  return dice.pick(replies[direction === 'inbound' ? 'customer' : 'agency']);
}
