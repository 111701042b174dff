import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contract } from '../../../domain/operations.js';

/** A file of the documentation page. */
export interface DocsFile {
  /** Its name below /docs/. */
  readonly name: string;
  readonly type: string;
  readonly read: () => Promise<Uint8Array>;
}

/** The content security policy of the documentation page: its own files, and requests to this server. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Starts Swagger UI. A separate file, because the policy forbids inline scripts. */
const initialiser = `const target = document.getElementById(location.hash.slice(1));
SwaggerUIBundle({
  url: document.currentScript.dataset.openapi,
  dom_id: '#operations',
  deepLinking: true,
  showExtensions: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  // The operations have moved the target of the address down.
  onComplete: () => target?.scrollIntoView(),
});
`;

/** The files of Swagger UI, copied by the build. */
const packaged: readonly (readonly [name: string, type: string])[] = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['index.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
];

/** The files of the documentation page; those of Swagger UI are read from `folder` on demand. */
export function docsFiles(folder: string): readonly DocsFile[] {
  const own: DocsFile = { name: 'docs.js', type: 'text/javascript; charset=utf-8', read: async () => Buffer.from(initialiser) };
  return [own, ...packaged.map(([name, type]) => ({ name, type, read: () => readFile(join(folder, name)) }))];
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

function deprecationRows(): string {
  const rows = contract.flatMap(({ method, path, deprecated }) => {
    if (deprecated === undefined) return [];
    const { since, sunset, successor } = deprecated;
    return [`<tr><td><code>${method} ${path}</code></td><td>${day(since)}</td><td>${day(sunset)}</td><td><code>${method} ${successor}</code></td></tr>`];
  });
  return rows.join('\n');
}

/** The deprecation policy and the deprecated operations. */
const deprecations = `<section id="deprecations">
<h2>Deprecations</h2>
<p>A deprecated operation works until its sunset, and its successor can do everything it did. Every answer of it
carries <code>Deprecation</code> (RFC 9745), <code>Sunset</code> (RFC 8594) and a <code>Link</code> to its successor. This version of
the program answers it after the sunset as well; a later one may not.</p>
<table>
<thead><tr><th>Operation</th><th>Deprecated since</th><th>Sunset</th><th>Successor</th></tr></thead>
<tbody>
${deprecationRows()}
</tbody>
</table>
</section>`;

/** The documentation page: Swagger UI, and the deprecation policy at `#deprecations`. */
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
<main>
<div id="operations"><noscript><p>This page needs JavaScript; the same is in <a href="${base}/openapi.json">openapi.json</a>.</p></noscript></div>
<div class="swagger-ui"><div class="wrapper"><div class="renderedMarkdown">
${deprecations}
</div></div></div>
</main>
</body>
</html>
`;
}
