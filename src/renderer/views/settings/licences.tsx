import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { useTexts } from '../../texts.ts';
import { useRequest } from '../../use-request.ts';

/** The programs inside this one and their licences, folded; asked for only when it is opened. */
export function Licences(): JSX.Element {
  const texts = useTexts().settings.aboutPage;
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="fold-name">{texts.licences}</span>
      </summary>
      <div class="fold-body">
        <p class="quiet">{texts.licencesText}</p>
        {isOpen && <LicenceList />}
      </div>
    </details>
  );
}

function LicenceList(): JSX.Element {
  const [licences, ask] = useRequest('licences', null);
  return (
    <LoadedView loaded={licences} onTryAgain={ask}>
      {(value) => (
        <ul class="plain-list licences">
          {value.map(({ name, version, license, text }) => (
            <li key={`${name} ${version}`}>
              <details>
                <summary>
                  <span class="breaks">{`${name} ${version}`}</span> <span class="quiet">{license}</span>
                </summary>
                <pre class="licence-text">{text}</pre>
              </details>
            </li>
          ))}
        </ul>
      )}
    </LoadedView>
  );
}
