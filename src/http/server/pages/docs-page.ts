import type { RouteHandlerMethod, RouteOptions } from 'fastify';
import { openApiDocument, type DocumentOptions } from '../../openapi/document.js';
import { jsonContentType } from '../../contract/media-types.js';
import { compressing, filesOf, htmlPage, ownFilesPolicy, staticFile } from './static-files.js';

/** The content security policy of the documentation page: its own files, and requests to this server. */
export const docsPolicy = `${ownFilesPolicy}; form-action 'none'`;

/** The OpenAPI document, and the documentation page: Swagger UI, which begins with the introduction of the document and so with the deprecation policy. */
export function documentRoutes(folder: string, options: Required<DocumentOptions>): readonly RouteOptions[] {
  const { basePath } = options;
  const route = (path: string, handler: RouteHandlerMethod): RouteOptions => ({ method: 'GET', url: `${basePath}${path}`, handler });
  const page = htmlPage(folder, basePath, { 'content-security-policy': docsPolicy });
  const document = staticFile(
    jsonContentType,
    compressing(async () => Buffer.from(JSON.stringify(openApiDocument(options)))),
  );
  return [route('/openapi.json', document), route('/docs', page), route('/docs/', page), route('/docs/*', filesOf(folder))];
}
