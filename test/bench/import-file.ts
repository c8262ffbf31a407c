import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface DatasetSize {
  locations: number;
  projects: number;
  listings: number;
}

const DEVELOPERS = 300;
const AGENTS = 500;
const CITIES = 10;

const developer = (at: number) => `developer-${at % DEVELOPERS}`;
const agent = (at: number) => `agent-${at % AGENTS}@agency.example`;
const location = (at: number) => `place-${at}`;

/** Writes a dataset of that size, record by record. */
export async function writeLargeDataset(file: string, size: DatasetSize): Promise<void> {
  await pipeline(Readable.from(textOf(size)), createWriteStream(file));
}

function* textOf({ locations, projects, listings }: DatasetSize): Generator<string> {
  yield '{"propertyTypes":[{"name":"Apartment"}],"projectStatuses":[{"name":"Off Plan"}]';
  yield* section('developers', DEVELOPERS, (at) => ({
    slug: developer(at),
    name: `Builder ${at}`,
  }));
  yield* section('agents', AGENTS, (at) => ({ email: agent(at), name: `Agent ${at}` }));
  yield* section('locations', locations, (at) => ({
    key: location(at),
    name: `Creek Heights ${at}`,
    nameAr: `برج ${at}`,
    level: 'building',
    parent: at < CITIES ? null : location(at % CITIES),
    latitude: 25 + at / 1e6,
    longitude: 55 + at / 1e6,
  }));
  yield* section('projects', projects, (at) => ({
    slug: `project-${at}`,
    title: `Project ${at}`,
    developer: developer(at),
    location: location(at % locations),
    status: 'Off Plan',
    propertyTypes: ['Apartment'],
    startingPrice: String(500_000 + at),
    deliveryDate: '2028-06-30',
    description: 'Homes by the water, with all that belongs to them. '.repeat(8),
  }));
  yield* section('listings', listings, (at) => ({
    referenceNo: `AG-${at}`,
    purpose: 'sale',
    market: 'secondary',
    currency: 'AED',
    price: String(1_000_000 + at),
    bedrooms: '2',
    propertyType: 'Apartment',
    developer: developer(at),
    location: location(at % locations),
    agent: agent(at),
  }));
  yield '}\n';
}

function* section(name: string, count: number, record: (at: number) => object): Generator<string> {
  yield `,\n"${name}":[`;
  for (let at = 0; at < count; at += 1) yield `${at > 0 ? ',\n' : ''}${JSON.stringify(record(at))}`;
  yield ']';
}
