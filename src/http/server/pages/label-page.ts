import type { RouteOptions } from 'fastify';
import { StoreError } from '../../../domain/errors.js';
import { getPetDetails } from '../../../domain/pets/get-pet-details.js';
import { idFromText, isIdText } from '../../../domain/values/ids.js';
import { htmlPage } from '../../../formats/labels/label-sheet.js';
import { labelOf } from '../../../formats/labels/label.js';
import { splitTarget } from '../request-head.js';
import type { Routing } from '../routes.js';

/** No script and no request; labels have their styles inside. */
const labelPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const mostPets = 100;
const size = { width: 50, height: 25 };
const sheet = { paper: 'A4', columns: 3, rows: 8 } as const;

/** `/board/labels?petId=7,13`: the labels of these pets as a page to print, one on each page of paper, or with `sheet=true` on sheets of 24. */
export function labelRoute({ basePath, shopFor }: Routing): RouteOptions {
  return {
    method: 'GET',
    url: `${basePath}/board/labels`,
    config: { scope: 'pets:read' },
    handler: async (request, reply) => {
      const query = new URLSearchParams(splitTarget(request.url).query);
      const petIds = (query.get('petId') ?? '').split(',');
      if (petIds.length > mostPets) throw new StoreError('invalid_parameter', `petId: must be at most ${mostPets} ids.`);
      const layout = query.get('sheet') === 'true' ? { sheet, skipped: 0 } : { size };
      const pets = await shopFor(request).callEach(
        getPetDetails,
        petIds.map((petId) => ({ petId: isIdText(petId) ? idFromText('pet', petId) : Number.NaN })),
      );
      const { toSVG } = await import('bwip-js/node');
      const labels = pets.map((pet) => labelOf(pet, { showsCategory: false, qr: false }));
      reply.headers({ 'content-security-policy': labelPolicy, 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' });
      return reply.type('text/html; charset=utf-8').send(htmlPage(labels, layout, toSVG));
    },
  };
}
