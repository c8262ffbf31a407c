/** What may be counted besides money. The unit is kept, so that three bedrooms are never a budget of 3. */
export const UNITS: readonly (readonly [unit: string, phrases: string])[] = [
  ['bedroom', 'bedroom|bedrooms|bed|beds|br|brs|bhk|bdr|غرفة|غرف|غرفة نوم|غرف نوم|غرفه نوم'],
  ['bathroom', 'bathroom|bathrooms|bath|baths|حمام|حمامات'],
  [
    'sqft',
    'sqft|sq ft|sq. ft|sq.ft.|sq feet|sq. feet|square feet|square foot|sft|قدم|قدم مربع|قدم مربعة',
  ],
  [
    'sqm',
    'sqm|sq m|sq. m|sq meters|sq. meters|sq metres|square meters|square metres|square meter|متر مربع|متر',
  ],
  ['person', 'person|persons|people|adults|شخص|أشخاص'],
  ['year', 'year|years|yrs|yr|سنة|سنوات|سنين'],
  ['month', 'month|months|شهر|أشهر|شهور'],
  ['week', 'week|weeks|أسبوع|أسابيع'],
  ['day', 'day|days|يوم|أيام'],
  ['percent', '%|percent|per cent|في المئة|بالمئة|بالمائة'],
];

/** Arabic says how many in the word itself: غرفتين is two rooms. */
export const COUNTED_UNITS: readonly (readonly [count: number, unit: string, phrases: string])[] = [
  [1, 'bedroom', 'غرفة واحدة|غرفة نوم واحدة'],
  [2, 'bedroom', 'غرفتين|غرفتان|غرفتين نوم|غرفتي نوم|غرفتا نوم'],
  [1, 'bathroom', 'حمام واحد'],
  [2, 'bathroom', 'حمامين|حمامان'],
  [2, 'person', 'شخصين|شخصان'],
  [1, 'year', 'سنة واحدة'],
  [2, 'year', 'سنتين|سنتان'],
  [1, 'month', 'شهر واحد'],
  [2, 'month', 'شهرين|شهران'],
  [1, 'week', 'أسبوع واحد'],
  [2, 'week', 'أسبوعين|أسبوعان'],
  [1, 'day', 'يوم واحد'],
  [2, 'day', 'يومين|يومان'],
];
