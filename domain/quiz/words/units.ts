/** What may be counted besides money. The unit is kept, so that three bedrooms are never a budget of 3. */
export const UNITS: readonly (readonly [unit: string, phrases: string])[] = [
  ['bedroom', 'bedroom|bedrooms|bed|beds|br|brs|bhk|bdr|غرفة|غرف|غرفة نوم|غرف نوم|غرفه نوم'],
  ['bathroom', 'bathroom|bathrooms|bath|baths|حمام|حمامات'],
  ['sqft', 'sqft|sq ft|sq. ft|sq.ft.|square feet|square foot|sft|قدم|قدم مربع|قدم مربعة'],
  ['sqm', 'sqm|sq m|sq. m|square meters|square metres|square meter|متر مربع|متر'],
  ['person', 'person|persons|people|adults|شخص|أشخاص'],
  ['year', 'year|years|yrs|yr|سنة|سنوات|سنين'],
  ['month', 'month|months|شهر|أشهر|شهور'],
  ['week', 'week|weeks|أسبوع|أسابيع'],
  ['day', 'day|days|يوم|أيام'],
  ['percent', '%|percent|per cent|في المئة|بالمئة|بالمائة'],
];
