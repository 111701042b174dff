import type { RouteHandlerMethod, RouteOptions } from 'fastify';
import { openApiDocument } from '../../openapi/document.js';
import { jsonContentType } from '../../contract/media-types.js';
import { docsFiles, docsPage, docsPolicy } from './docs-page.js';
import { compressing, staticFile } from './static-files.js';

/** The OpenAPI document, the documentation page, and the files of that page. */
export function documentRoutes(basePath: string, stableOnly: boolean, docsFolder: string): readonly RouteOptions[] {
  const route = (path: string, handler: RouteHandlerMethod): RouteOptions => ({ method: 'GET', url: `${basePath}${path}`, handler });
  const page = staticFile(
    'text/html; charset=utf-8',
    compressing(async () => Buffer.from(docsPage({ basePath }))),
    { 'content-security-policy': docsPolicy },
  );
  const files = docsFiles(docsFolder).map(({ name, type, read }) => route(`/docs/${name}`, staticFile(type, compressing(read))));
  const document = staticFile(
    jsonContentType,
    compressing(async () => Buffer.from(JSON.stringify(openApiDocument({ basePath, stableOnly })))),
  );
  return [route('/openapi.json', document), route('/docs', page), route('/docs/', page), ...files];
}
