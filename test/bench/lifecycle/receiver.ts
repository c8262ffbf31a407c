// A webhook receiver in a process of its own, so that its processor time is charged to nobody. Usage: receiver.ts PORT. `/hang` never answers; every other path answers 200 at once.
import { createServer } from 'node:http';
import process from 'node:process';

createServer((request, response) => {
  request.resume();
  if (request.url === '/hang') return;
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}).listen(Number(process.argv[2]), '127.0.0.1');
