import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type WindowTexts, windowTexts } from '../shared/texts/window-texts/window-texts.ts';

const TextsContext = createContext<WindowTexts>(windowTexts('en'));

export const TextsProvider = TextsContext.Provider;
export const useTexts = (): WindowTexts => useContext(TextsContext);
