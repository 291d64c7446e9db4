/** Spelling of numbers, days and words where a spreadsheet was made. */
export type Locale = {
  language: string
  decimal: '.' | ','
  /** Characters of which one separates thousands. */
  groups: string
  /** Whether the day comes before the month. */
  dayFirst: boolean
  /** Separates day, month and year. */
  mark: '.' | '/' | '-'
  /** Hours may be counted to twelve, with AM or PM behind them. */
  hasHalves?: true
  yes: readonly string[]
  no: readonly string[]
  /** The abbreviations of spreadsheets, without the dot that some put behind them. */
  months: readonly string[]
}

const monthsOf = (text: string): readonly string[] => text.split(' ')

const german = {
  ...({dayFirst: true, mark: '.', yes: ['wahr', 'ja'], no: ['falsch', 'nein']} as const),
  months: monthsOf('Jan Feb Mrz Mär Apr Mai Jun Jul Aug Sep Sept Okt Nov Dez'),
}
const english = {
  ...({decimal: '.', groups: ',', mark: '/', yes: ['true', 'yes'], no: ['false', 'no']} as const),
  months: monthsOf('Jan Feb Mar Apr May Jun Jul Aug Sep Sept Oct Nov Dec'),
}
const continental = {decimal: ',', groups: '.', dayFirst: true} as const

/** By the names that `--locale` takes. */
export const locales = {
  de: {...german, ...continental, language: 'German'},
  'de-CH': {...german, decimal: '.', groups: "'\u2019", language: 'Swiss German'},
  'en-US': {...english, dayFirst: false, hasHalves: true, language: 'American English'},
  'en-GB': {...english, dayFirst: true, language: 'British English'},
  es: {
    ...{...continental, mark: '/', yes: ['verdadero', 's\u00ed', 'si'], no: ['falso', 'no'], language: 'Spanish'},
    months: monthsOf('ene feb mar abr may jun jul ago sep sept oct nov dic'),
  },
  fr: {
    ...{...continental, groups: '\u202f\u00a0 ', mark: '/', language: 'French'},
    ...{yes: ['vrai', 'oui'], no: ['faux', 'non']},
    months: monthsOf('janv févr mars avr mai juin juil août sept oct nov déc'),
  },
  it: {
    ...{...continental, mark: '/', yes: ['vero', 's\u00ec', 'si'], no: ['falso', 'no'], language: 'Italian'},
    months: monthsOf('gen feb mar apr mag giu lug ago set ott nov dic'),
  },
  nl: {
    ...{...continental, mark: '-', yes: ['waar', 'ja'], no: ['onwaar', 'nee'], language: 'Dutch'},
    months: monthsOf('jan feb mrt apr mei jun jul aug sep okt nov dec'),
  },
  pt: {
    ...{...continental, mark: '/', language: 'Portuguese'},
    ...{yes: ['verdadeiro', 'sim'], no: ['falso', 'n\u00e3o', 'nao']},
    months: monthsOf('jan fev mar abr mai jun jul ago set out nov dez'),
  },
} as const satisfies Record<string, Locale>
export type LocaleName = keyof typeof locales

export const localeNames = Object.keys(locales) as LocaleName[]
