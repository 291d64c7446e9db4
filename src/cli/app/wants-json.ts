import {isOn} from '../../values/truth.js'

/** What of a command line is for the program itself: the words before `--`. */
export function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return end === -1 ? words : words.slice(0, end)
}

/** Whether one JSON object is wanted; known before the flags are parsed, so that failures of parsing obey it. */
export function wantsJson(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return ownWords(words).includes('--json') || isOn(environment['VENDORCTL_JSON'])
}
