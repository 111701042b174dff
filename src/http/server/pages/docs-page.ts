import type { RouteHandlerMethod, RouteOptions } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openApiDocument } from '../../openapi/document.js';
import { jsonContentType } from '../../contract/media-types.js';
import { compressing, fileType, ownFilesPolicy, staticFile } from './static-files.js';

/** The content security policy of the documentation page: its own files, and requests to this server. */
export const docsPolicy = `${ownFilesPolicy}; form-action 'none'`;

/** Starts Swagger UI. A separate file, because the policy forbids inline scripts. */
const initialiser = `SwaggerUIBundle({
  url: document.currentScript.dataset.openapi,
  dom_id: '#operations',
  deepLinking: true,
  showExtensions: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** The files of Swagger UI, copied by the build. */
const packaged = ['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** How to read the files of the documentation page, by their names below /docs/; those of Swagger UI are in `folder`. */
export function docsFiles(folder: string): ReadonlyMap<string, () => Promise<Uint8Array>> {
  const own = ['docs.js', async () => Buffer.from(initialiser)] as const;
  return new Map([own, ...packaged.map((name) => [name, () => readFile(join(folder, name))] as const)]);
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The documentation page: Swagger UI, which begins with the introduction of the document and so with the deprecation policy. */
export function docsPage({ basePath }: { readonly basePath: string }): string {
  const base = escaped(basePath);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Petstore</title>
<link rel="icon" type="image/png" href="${base}/docs/favicon-32x32.png">
<link rel="stylesheet" href="${base}/docs/swagger-ui.css">
<link rel="stylesheet" href="${base}/docs/index.css">
<script src="${base}/docs/swagger-ui-bundle.js" defer></script>
<script src="${base}/docs/docs.js" data-openapi="${base}/openapi.json" defer></script>
</head>
<body>
<main id="deprecations">
<div id="operations"><noscript><p>This page needs JavaScript; the same is in <a href="${base}/openapi.json">openapi.json</a>.</p></noscript></div>
</main>
</body>
</html>
`;
}

/** The OpenAPI document, the documentation page, and the files of that page. */
export function documentRoutes(basePath: string, stableOnly: boolean, docsFolder: string): readonly RouteOptions[] {
  const route = (path: string, handler: RouteHandlerMethod): RouteOptions => ({ method: 'GET', url: `${basePath}${path}`, handler });
  const page = staticFile(
    'text/html; charset=utf-8',
    compressing(async () => Buffer.from(docsPage({ basePath }))),
    { 'content-security-policy': docsPolicy },
  );
  const files = [...docsFiles(docsFolder)].map(([name, read]) => route(`/docs/${name}`, staticFile(fileType(name) ?? '', compressing(read))));
  const document = staticFile(
    jsonContentType,
    compressing(async () => Buffer.from(JSON.stringify(openApiDocument({ basePath, stableOnly })))),
  );
  return [route('/openapi.json', document), route('/docs', page), route('/docs/', page), ...files];
}
