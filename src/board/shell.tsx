import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { LiveStatus } from './parts/live-status.js';
import { Name } from './parts/name.js';
import { NoticeBar } from './parts/notice-bar.js';
import { headingId, Screen } from './parts/screen.js';
import { RefusalBox } from './parts/shown.js';
import { clockText, dayAndYearText, dayOf } from './parts/time.js';
import { screenAt, screens, type ScreenEntry } from './screens.js';
import { SignOut } from './screens/help/you.js';
import { useDrop } from './screens/imports/use-drop.js';
import { SaleDialog } from './screens/sale/sale-dialog.js';
import { SignInAgain, SignInScreen } from './screens/sign-in/sign-in-screen.js';
import { timeZone } from './state/clock.js';
import { presentMinute } from './state/live/minutes.js';
import { href, isWall, pageAddress } from './state/router.js';
import { hasEnded, isSignedIn, may, session, shopName } from './state/session.js';
import { isSelling, openSale } from './state/shortcuts.js';
import { startRefusal } from './state/sign-in.js';

function Brand(): JSX.Element {
  return (
    <a class="brand" href={href('/')}>
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <ellipse cx="16" cy="21" rx="6.5" ry="5.5" />
        <circle cx="8.5" cy="14.5" r="2.7" />
        <circle cx="13" cy="9.5" r="2.7" />
        <circle cx="19" cy="9.5" r="2.7" />
        <circle cx="23.5" cy="14.5" r="2.7" />
      </svg>
      <Name of={shopName.value} />
    </a>
  );
}

function isCurrent({ path }: ScreenEntry): boolean {
  return path === '/' ? pageAddress.value.path === '/' : `${pageAddress.value.path}/`.startsWith(`${path}/`);
}

function Navigation(): JSX.Element {
  const isOpen = useSignal(false);
  const { path } = pageAddress.value;
  useEffect(() => void (isOpen.value = false), [path]);
  const shown = screens.filter(({ name, needs }) => name !== undefined && (needs === undefined || may(needs)));
  return (
    <nav class="navigation" aria-label="Screens" data-open={isOpen.value}>
      <button type="button" class="menu small" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        Menu
      </button>
      <ul>
        {shown.map((screen) => (
          <li key={screen.path}>
            <a href={href(screen.path)} aria-current={isCurrent(screen) ? 'page' : undefined}>
              {screen.name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NoScreen(): JSX.Element {
  return (
    <Screen title="There is no such page">
      <p>
        <a href={href('/')}>Today</a> shows how the shop is doing.
      </p>
    </Screen>
  );
}

/** The screen, or that it failed: the other screens can still be opened. */
function FailureBoundary({ children }: { readonly children: ComponentChildren }): JSX.Element {
  // In the console, as any other error of the page.
  const [error, reset] = useErrorBoundary((thrown) => console.error(thrown));
  const address = pageAddress.value;
  useEffect(reset, [address]);
  if (error === undefined) return <>{children}</>;
  return (
    <Screen title="This screen cannot be shown">
      <p>The page failed at what the server answered. Load it again: the server may be of another version by now.</p>
      <p>
        <button type="button" onClick={() => location.reload()}>
          Load again
        </button>
      </p>
    </Screen>
  );
}

/** Before the server has answered with the session. */
function Start(): JSX.Element {
  if (startRefusal.value === undefined) return <p class="waiting">Loading …</p>;
  return (
    <Screen title="The shop cannot be reached">
      <RefusalBox of={startRefusal.value} />
      <p>The page tries again by itself.</p>
    </Screen>
  );
}

function Content(): JSX.Element {
  if (session.value === undefined) return <Start />;
  if (session.value === 'signed-out') return <SignInScreen />;
  return screenAt(pageAddress.value.path) ?? <NoScreen />;
}

/**
 * After a navigation or a sign-in the focus is at the heading of the new screen, so that keyboards and screen readers start there.
 * To sign in, it is in the field.
 */
function useFocusOnNewScreen(): void {
  const shown = session.value === 'signed-out' ? undefined : pageAddress.value.path;
  const last = useRef(shown);
  useEffect(() => {
    if (last.current !== shown && shown !== undefined) document.querySelector<HTMLElement>(`#${headingId}`)?.focus({ preventScroll: true });
    last.current = shown;
  }, [shown]);
}

/** The page: header, the screen of the address, and the result of the last change. */
export function Shell(): JSX.Element {
  useFocusOnNewScreen();
  const isOver = useDrop();
  return (
    <div class="page" data-wall={isWall.value} data-over={isOver} data-ended={hasEnded.value}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <Brand />
        {isSignedIn.value && <Navigation />}
        {may('placeOrder') && (
          <button type="button" class="primary small sell control" aria-keyshortcuts="s" onClick={openSale}>
            Sell<span class="visually-hidden"> pets</span>
          </button>
        )}
        {/* Paper does not follow the shop. */}
        <p class="printed-at">
          As of {dayAndYearText(dayOf(presentMinute.value))}, {clockText(presentMinute.value)} ({timeZone})
        </p>
        <div class="top-state">
          {may('listLedger') && <LiveStatus />}
          {typeof session.value === 'object' && (
            <div class="sign-in-state">
              <Name of={session.value.name} />
              <SignOut />
            </div>
          )}
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <FailureBoundary>
          <Content />
        </FailureBoundary>
      </main>
      <NoticeBar />
      {isSelling.value && <SaleDialog onClose={() => (isSelling.value = false)} />}
      <SignInAgain />
    </div>
  );
}
