import * as z from 'zod';
import { lookupKey } from '../../lookups/lookup-list.ts';
import {
  flag,
  latitude,
  longitude,
  name,
  names,
  optionalAmount,
  optionalDate,
  optionalId,
  optionalName,
  optionalText,
} from '../values.ts';

export const locationSchema = z.strictObject({
  id: optionalId,
  key: name.transform(lookupKey),
  name,
  nameAr: optionalName,
  level: name,
  parent: optionalName,
  latitude,
  longitude,
  enabled: flag(true),
});

export const developerSchema = z.strictObject({
  id: optionalId,
  slug: name,
  name,
  description: optionalText,
  logoUrl: optionalName,
  imageUrl: optionalName,
  enabled: flag(true),
  popular: flag(false),
});

const imageSchema = z.strictObject({ url: name, alt: optionalText });

export const projectSchema = z.strictObject({
  id: optionalId,
  slug: name,
  title: optionalName,
  developer: optionalName,
  location: name,
  status: name,
  propertyTypes: names,
  campaignType: optionalName,
  ownershipType: optionalName,
  stockAvailability: optionalName,
  startingPrice: optionalAmount,
  deliveryDate: optionalDate,
  brochure: flag(false),
  paymentPlans: names,
  latitude,
  longitude,
  bedrooms: names,
  amenities: names,
  description: optionalText,
  images: z
    .array(imageSchema)
    .nullish()
    .transform((images) => images ?? []),
  published: flag(true),
});

const blank = (value: string) => value.trim() !== '';

export const listingSchema = z.strictObject({
  id: optionalId,
  referenceNo: z.string().trim().normalize('NFC').max(128).refine(blank, 'Must not be empty'),
  purpose: z.enum(['sale', 'rent']),
  market: z.enum(['primary', 'secondary']),
  price: optionalAmount,
  priceOnApplication: flag(false),
  currency: optionalName,
  bedrooms: optionalName,
  developer: optionalName,
  location: optionalName,
  propertyType: optionalName,
  agent: optionalName,
  enabled: flag(true),
});
