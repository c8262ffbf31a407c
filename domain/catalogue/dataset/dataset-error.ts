/** One thing that is wrong with a dataset, and where: `developers[3].slug`. */
export interface Fault {
  place: string;
  message: string;
}

export function faultText({ place, message }: Fault): string {
  return `${place}: ${message}`;
}
