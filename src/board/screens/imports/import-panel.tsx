import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Name } from '../../parts/name.js';
import { sizeText } from '../../parts/text.js';
import { queryValue } from '../../state/router.js';
import { may } from '../../state/session.js';
import { CheckedImport } from './checked-import.js';
import { ChooseFile } from './choose-file.js';
import { form } from './import-form.js';
import { stage, type Stage } from './import-stage.js';

/** How far a file is sent, and then that the shop works on it. */
function RunningImport({ of: { name, file, sent, stop } }: { readonly of: Stage & { readonly name: 'checking' | 'importing' } }): JSX.Element {
  const isSent = sent >= file.size;
  const work = name === 'checking' ? 'The shop checks the rows' : 'The shop applies the rows';
  const text = isSent ? `${work} …` : `Sent ${sizeText(sent)} of ${sizeText(file.size)}`;
  // What is written already cannot be stopped any more.
  const canStop = name === 'checking' || !isSent;
  return (
    <div class="stack">
      {/* Without a value while the shop works: nobody knows how long. */}
      <progress aria-label={isSent ? work : 'Sent'} max={file.size} {...(!isSent && { value: sent })} />
      <p>{text}</p>
      {canStop && (
        <button type="button" onClick={stop}>
          Cancel
        </button>
      )}
    </div>
  );
}

const stepNames = { checking: 'Checking', checked: 'Check of', importing: 'Importing' } as const;

function Step({ of }: { readonly of: Stage }): JSX.Element {
  switch (of.name) {
    case 'choosing':
      return <ChooseFile refusal={of.refusal} />;
    case 'checking':
    case 'importing':
      return <RunningImport of={of} />;
    case 'checked':
      return <CheckedImport file={of.file} outcome={of.outcome} refusal={of.refusal} />;
  }
}

/** The import of a file, step by step; each step begins with the focus at its heading, or at the field that was refused. */
export function ImportPanel(): JSX.Element {
  const { value: current } = stage;
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(current.name);
  // The link of an empty shop asks for new pets; a token without `store:write` can import nothing else.
  useEffect(() => {
    if (queryValue('kind') === 'pets' || !may('importInventory')) form.kind.value = 'importPets';
  }, []);
  useEffect(() => {
    // A refused field may be far below.
    const refused = heading.current?.closest('section')?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (shown.current !== current.name) (refused ?? heading.current)?.focus();
    shown.current = current.name;
  }, [current.name]);
  return (
    <section class="panel import stack" aria-labelledby="import-step">
      <div class="panel-head">
        <h2 ref={heading} id="import-step" tabIndex={-1}>
          {current.name === 'choosing' ? 'Import a file' : stepNames[current.name]} {'file' in current && <Name of={current.file.name} />}
        </h2>
      </div>
      <Step of={current} />
    </section>
  );
}
