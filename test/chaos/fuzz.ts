import { parseArgs } from 'node:util';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { flipBytes } from './flip-bytes.ts';
import { openWorkshop } from './workshop.ts';

const { values } = parseArgs({
  options: {
    flips: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

const shop = await openWorkshop({});
const { texts, ...result } = await flipBytes(shop, Number(values.flips), Number(values.seed)).finally(() =>
  shop.close(),
);
for (const text of texts) console.error(text);
const { flips, told, lost, wedged, endless } = result;
console.log(
  values.json
    ? JSON.stringify(result)
    : `${flips} flips, ${told} told, ${lost} lost, ${wedged} wedged, ${endless} endless`,
);
process.exitCode = lost + wedged + endless === 0 ? 0 : EXIT_CODES.unproven;
