/** Names of the seed world, all invented; some are awkward on purpose, to show that they survive. */

type Words = readonly [string, ...string[]]

export const organizationNames: Words = [
  'Quillmere Refreshments',
  'Tarn & Hollow Vending',
  'Brackwater "Fresh" Foods',
  'Ösmund Kaffe och Snacks',
  'Lanternby Breaks, Ltd.',
]

export const accountNames: Words = [
  'Hospitals',
  'Rail stations',
  'Schools and colleges',
  'Offices, north',
  'Offices, south',
  'Airports',
  'Libraries',
  'Sports halls',
  'Ferry terminals',
  'Warehouses',
  'Museums',
  'Town halls',
]

const plainSites = `Grain Mill, Orchard House, Bridge Street, North Stand, South Stand, Pier 2, Pier 3, Ward 7, Ward 12,
    Canteen A, Canteen B, Gatehouse, Loading Bay, Reading Room, Sports Hall, Ticket Hall, Platform 1, Platform 9,
    East Wing, West Wing, Lecture Theatre, Print Works, Tool Room, Night Shelter, Boat House, Signal Box,
    Summit Hut`.split(/,\s+/)

/** The awkward ones come first, so that also the smallest world has them. */
export const siteNames: Words = [
  'Ferry Quay',
  'Mill Lane, rear entrance',
  'The "Old" Foundry',
  'Dock 4\nUpper deck',
  'Café Ångström ☕️🥐',
  '=HYPERLINK("http://example.com","Lobby")',
  '\u001b[31mRed Gate\u001b[0m',
  '+44 Corridor',
  '-Basement-',
  '@Reception',
  "O'Hollis Yard; west",
  ' Leading and trailing ',
  '東側ロビー',
  ...plainSites,
]

/** Windows and IANA names, among them offsets of a quarter and half an hour, and both ends of the date line. */
export const siteZones: readonly (string | null)[] = [
  'Pacific Standard Time',
  'Eastern Standard Time',
  'Nepal Standard Time',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Dateline Standard Time',
  'GMT Standard Time',
  'Europe/Berlin',
  'Lord Howe Standard Time',
  'Asia/Kathmandu',
  'UTC',
  null,
  'Newfoundland Standard Time',
  'America/Chicago',
  'W. Europe Standard Time',
  'Line Islands Standard Time',
]

export const organizationZones: readonly (string | null)[] = [
  'Pacific Standard Time',
  'Europe/Berlin',
  null,
  'Nepal Standard Time',
  'Asia/Tokyo',
]

export const machineKinds: Words = ['Snack', 'Cold drink', 'Hot drink', 'Fresh food', 'Combo']
export const machineModels: Words = ['SN-40', 'CD-9', 'HD-22 "Duo"', 'FF-7', 'CB-3, wide']
export const firstNames: Words = ['Ada', 'Björn', 'Chidi', 'Dalia', 'Eun-ji', 'Farid', 'Grace', 'Hana']
export const lastNames: Words = ["O'Neale", 'Lindqvist', 'Okonjo', 'Haddad', 'Park', 'Nazari', 'Whitcombe', 'Sato']

/** Name, price and size; prices keep their digits. */
export const products: readonly [string, string, string | null][] = [
  ['Sea salt crisps', '1.10', '40 g'],
  ['Apple juice, still', '2.00', '330 ml'],
  ['Oat bar "Harvest"', '1.75', '55 g'],
  ['Crème caramel', '2.40', '120 g'],
  ['Sparkling water', '1.50', '500 ml'],
  ['Espresso ☕', '1.20', null],
  ['Chocolate buttons', '1.35', '70 g'],
  ['Chicken wrap', '4.10', '210 g'],
  ['=Trail mix', '2.95', '100 g'],
  ['Lemonade', '1.80', '330 ml'],
  ['Rice crackers', '1.05', '60 g'],
  ['Fruit pot', '3.00', '150 g'],
]

/** Code, description, OnlyOneExists, cleared by people only. */
export const alertCodes: readonly [string, string, boolean, boolean][] = [
  ['NS', 'No sales', true, false],
  ['DO', 'Door open', true, true],
  ['CJ', 'Coin jam', false, false],
  ['TMP', 'Temperature too high', false, true],
  ['LC', 'Low on change', false, false],
  ['NC', 'No communication', true, false],
]
