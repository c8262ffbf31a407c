import type { Phrase } from './phrase.ts';
import type { YesNoMeaning } from './reading.ts';
import { foldText } from './tokens.ts';

/* Without words that mean something else elsewhere: `nai`, `na`, `ne`, `tak`, `net`, `hindi`, `la`, `ايه`, `خير`. */
export const YES_NO: Readonly<Record<string, { yes: string; no: string }>> = {
  English: {
    yes: 'yes|y|yeah|yep|yup|yes please|yes of course|yes i do|yes i am|yes i would|sure|of course|certainly|definitely|absolutely|ok|okay|true',
    no: "no|n|nope|nah|no thanks|no thank you|not at all|false|definitely not|of course not|no i don't|no i do not",
  },
  Arabic: {
    yes: 'نعم|أجل|أيوه|أيوة|ايوا|بلى|أكيد|طبعا|بالطبع|بالتأكيد|نعم بالتأكيد|نعم طبعا|نعم من فضلك|نعم لو سمحت|موافق|na3am|naam|na’am|aiwa|aywa|akeed|tab3an',
    no: 'لا|لأ|لاء|كلا|لا شكرا|لا أبدا|لا طبعا|la2|laa|la shukran|kalla',
  },
  French: {
    yes: "oui|ouais|oui bien sûr|oui s'il vous plaît|bien sûr|d'accord|certainement|tout à fait|absolument",
    no: 'non|non merci|pas du tout',
  },
  Russian: { yes: 'да|ага|конечно|да конечно|da|konechno', no: 'нет|неа|нет спасибо|nyet|niet' },
  Chinese: {
    yes: '是|是的|对|對|对的|好的|可以|要|需要|shi de|shide',
    no: '否|不|不是|不要|不用|不需要|不可以|不行|没有|沒有|bu shi|bushi|bu yao',
  },
  Hindi: {
    yes: 'हाँ|हां|जी हाँ|जी हां|हाँ जी|हां जी|जी|बिल्कुल|बिलकुल|haan|haa|haan ji|haanji|ji haan|ji ha',
    no: 'नहीं|नही|जी नहीं|ना|बिल्कुल नहीं|nahi|nahin|nahee|nahi ji|ji nahi|ji nahin',
  },
  Urdu: {
    yes: 'ہاں|جی ہاں|ہاں جی|جی|بالکل|جي هاں|هاں',
    no: 'نہیں|جی نہیں|نہ|بالکل نہیں|نهیں|jee nahi',
  },
  Persian: {
    yes: 'بله|بله لطفا|بلی|آره|آری|حتما|baleh|bale',
    no: 'نه|نه ممنون|خیر|نخیر|نه خیر|nakheir',
  },
  German: { yes: 'ja|jawohl|ja bitte|natürlich|na klar|ja klar', no: 'nein|nö|nein danke' },
  Spanish: {
    yes: 'sí|sí claro|claro|claro que sí|por supuesto|sí por favor',
    no: 'no gracias|claro que no',
  },
  Italian: { yes: 'sì|certo|certamente|sì grazie|certo che sì', no: 'no grazie' },
  Portuguese: { yes: 'sim|sim por favor', no: 'não|não obrigado|não obrigada' },
  Turkish: { yes: 'evet|evet lütfen|tabii|tabii ki|elbette', no: 'hayır|hayır teşekkürler|yok' },
  Tagalog: { yes: 'oo|opo', no: 'hindi po' },
  Malayalam: { yes: 'അതെ|athe', no: 'ഇല്ല|അല്ല|illa' },
  Tamil: { yes: 'ஆம்|ஆமாம்', no: 'இல்லை' },
  Bengali: { yes: 'হ্যাঁ|হাঁ|জি', no: 'না' },
  Punjabi: { yes: 'ਹਾਂ|ਹਾਂ ਜੀ', no: 'ਨਹੀਂ' },
  Gujarati: { yes: 'હા', no: 'ના' },
  Sinhala: { yes: 'ඔව්', no: 'නැහැ|නෑ' },
  Ukrainian: { yes: 'так', no: 'ні' },
  Greek: { yes: 'ναι', no: 'όχι' },
  Dutch: { yes: 'ja graag', no: 'nee|nee bedankt' },
  Indonesian: { yes: 'iya|ya', no: 'tidak' },
  Japanese: { yes: 'はい', no: 'いいえ' },
  Korean: { yes: '네|예', no: '아니요|아니오' },
  Amharic: { yes: 'አዎ|አዎን', no: 'አይ|አይደለም' },
  Swahili: { yes: 'ndiyo', no: 'hapana' },
  Hebrew: { yes: 'כן', no: 'לא' },
  Kazakh: { yes: 'иә', no: 'жоқ' },
  Azerbaijani: { yes: 'bəli', no: 'xeyr' },
  Swedish: { yes: 'ja tack', no: 'nej' },
  signs: { yes: '👍|✅', no: '👎|❌' },
};

const LONGEST_ANSWER = 64;
/** Keeps question marks: "yes?" is uncertain. */
const PUNCTUATION = /(?![?؟])[\p{P}\p{S}]/gu;
const SPACES = /\s+/gu;

const MEANINGS: ReadonlyMap<string, boolean> = new Map(
  Object.values(YES_NO).flatMap(({ yes, no }) => [...entries(yes, true), ...entries(no, false)]),
);

/** Only if it is the whole text: "no preference" is neither yes nor no. */
export function readYesNo({ folded }: Phrase): YesNoMeaning | null {
  if (folded.length > LONGEST_ANSWER) return null;
  const value = MEANINGS.get(keyOf(folded));
  return value === undefined ? null : { kind: 'yes_no', value };
}

function entries(words: string, value: boolean): [string, boolean][] {
  return words.split('|').map((word) => [keyOf(foldText(word)), value]);
}

/** A thumb counts only by itself, and in any colour. */
function keyOf(folded: string): string {
  const words = folded.replace(PUNCTUATION, ' ').replace(SPACES, ' ').trim();
  return words || folded.replace(/\p{Sk}/gu, '').trim();
}
