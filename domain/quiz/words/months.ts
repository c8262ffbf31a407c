/** English, and Arabic as written in the Gulf and Egypt, in the Levant and Iraq, and in the Maghreb. */
export const MONTHS: readonly string[] = [
  'january|jan|يناير|كانون الثاني|جانفي',
  'february|feb|فبراير|شباط|فيفري',
  'march|mar|مارس|آذار',
  'april|apr|أبريل|إبريل|نيسان|أفريل',
  'may|مايو|أيار|ماي',
  'june|jun|يونيو|يونيه|حزيران|جوان',
  'july|jul|يوليو|يوليه|تموز|جويلية|يوليوز',
  'august|aug|أغسطس|آب|أوت|غشت',
  'september|sept|sep|سبتمبر|أيلول|شتنبر',
  'october|oct|أكتوبر|تشرين الأول|أكتوبر',
  'november|nov|نوفمبر|تشرين الثاني|نونبر',
  'december|dec|ديسمبر|كانون الأول|دجنبر',
];

/** What may stand between or after the parts of a written date without changing it. */
export const DATE_FILLERS = 'st|nd|rd|th|of|the|on|من|عام|سنة|م|يوم';

/** From Sunday on. */
export const WEEKDAYS: readonly string[] = [
  'sunday|sun|الأحد',
  'monday|mon|الاثنين|الإثنين',
  'tuesday|tue|tues|الثلاثاء',
  'wednesday|wed|الأربعاء',
  'thursday|thu|thur|thurs|الخميس',
  'friday|fri|الجمعة',
  'saturday|sat|السبت',
];

export const QUARTERS: readonly string[] = [
  'q1|الربع الأول',
  'q2|الربع الثاني',
  'q3|الربع الثالث',
  'q4|الربع الرابع',
];
