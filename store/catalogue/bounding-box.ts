import type { Parameters } from './parameters.ts';

export interface Box {
  north: number;
  south: number;
  east: number;
  west: number;
}

const WHOLE_TURN = 360;

/** What lies in a box, its edges included. With `west` beyond `east` it crosses the date line. */
export function insideBox(
  box: Box,
  latitude: string,
  longitude: string,
  parameters: Parameters,
): string {
  const add = (value: number) => `${parameters.add(value)}::float8`;
  const inLatitude = `${latitude} between ${add(box.south)} and ${add(box.north)}`;
  if (box.east - box.west >= WHOLE_TURN) return `${inLatitude} and ${longitude} is not null`;
  const [west, east] = [onGlobe(box.west), onGlobe(box.east)];
  const [from, to] = [`${longitude} >= ${add(west)}`, `${longitude} <= ${add(east)}`];
  return `${inLatitude} and ${west <= east ? `${from} and ${to}` : `(${from} or ${to})`}`;
}

/** A map that was dragged round the globe counts on beyond 180 degrees. */
function onGlobe(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % WHOLE_TURN) + WHOLE_TURN) % WHOLE_TURN) - 180;
}
