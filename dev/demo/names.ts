/** Invented people: names in Latin letters, and as their owners write them where that differs. */

export type LanguageCode = 'en' | 'ar' | 'ru' | 'hi' | 'fr' | 'zh';
export type Spelling = readonly [latin: string, own?: string];

export interface Names {
  first: readonly Spelling[];
  last: readonly Spelling[];
}

export const names: Readonly<Record<LanguageCode, Names>> = {
  en: {
    first: [
      ['Emma'],
      ['James'],
      ['Olivia'],
      ['Daniel'],
      ['Grace'],
      ['Thomas'],
      ['Sinead'],
      ['Liam'],
    ],
    last: [['Carter'], ['Hughes'], ["O'Brien"], ['Walker'], ['Nguyen-Smith'], ['Fraser'], ['Bell']],
  },
  ar: {
    first: [
      ['Layla', 'ليلى'],
      ['Mohammed', 'محمد'],
      ['Fatima', 'فاطمة'],
      ['Omar', 'عمر'],
      ['Noura', 'نورة'],
      ['Khalid', 'خالد'],
      ['Maryam', 'مريم'],
      ['Abdulrahman', 'عبد الرحمن'],
    ],
    last: [
      ['Al Mansoori', 'المنصوري'],
      ['Haddad', 'حداد'],
      ['Al Suwaidi', 'السويدي'],
      ['Khoury', 'خوري'],
      ['Al Otaibi', 'العتيبي'],
      ['Nasser', 'ناصر'],
      ['Bin Saeed', 'بن سعيد'],
    ],
  },
  ru: {
    first: [
      ['Irina', 'Ирина'],
      ['Dmitry', 'Дмитрий'],
      ['Alena', 'Алёна'],
      ['Sergei', 'Сергей'],
      ['Natalia', 'Наталья'],
    ],
    last: [
      ['Volkova', 'Волкова'],
      ['Sokolov', 'Соколов'],
      ['Kuznetsova', 'Кузнецова'],
      ['Orlov', 'Орлов'],
    ],
  },
  hi: {
    first: [['Priya'], ['Rahul'], ['Ananya'], ['Vikram'], ['Deepika'], ['Arjun']],
    last: [['Sharma'], ['Patel'], ['Iyer'], ['Menon'], ['Kapoor'], ['Reddy']],
  },
  fr: {
    first: [['Chloé'], ['Étienne'], ['Inès'], ['Gaël'], ['Zoé']],
    last: [['Lefèvre'], ['Dubois'], ['Benoît'], ['Garçon'], ['Moreau']],
  },
  zh: {
    first: [
      ['Wei', '伟'],
      ['Li Na', '丽娜'],
      ['Jun', '军'],
      ['Xiao Yu', '小雨'],
    ],
    last: [
      ['Zhang', '张'],
      ['Wang', '王'],
      ['Chen', '陈'],
      ['Liu', '刘'],
    ],
  },
};
