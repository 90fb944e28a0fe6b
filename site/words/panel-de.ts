/** The German words of the CMS's panel, by the English words of the descriptions. */
export const panelDe: Readonly<Record<string, string>> = {
  // Types and components.
  Article: 'Artikel',
  'Business solution': 'Lösung für Unternehmen',
  'Blog category': 'Blog-Kategorie',
  'Commerce page': 'Handelsseite',
  Page: 'Seite',
  Redirect: 'Weiterleitung',
  'Social network icon': 'Symbol eines sozialen Netzwerks',
  Tag: 'Schlagwort',
  Country: 'Land',
  'Home page': 'Startseite',
  'Blog start page': 'Startseite des Blogs',
  'Site settings': 'Einstellungen der Website',
  Callout: 'Hinweis im Kasten',
  Gallery: 'Galerie',
  Quotation: 'Zitat',
  'Picture, film or sound': 'Bild, Film oder Ton',
  'Film of another site': 'Film einer anderen Website',
  'Link with links below it': 'Link mit Links darunter',
  'Text with a title': 'Text mit Titel',
  'Line with a check mark': 'Zeile mit Häkchen',
  Direction: 'Geschäftsfeld',
  Partner: 'Partner',
  'Payment method': 'Zahlungsart',
  'Profile of a social network': 'Profil in einem sozialen Netzwerk',
  'Word of the interface': 'Wort der Oberfläche',
  'Block or own text': 'Block oder eigener Text',

  // Texts of pages.
  Title: 'Titel',
  'In lists and in the tab of the browser': 'In Listen und im Tab des Browsers',
  'In the tab of the browser': 'Im Tab des Browsers',
  Description: 'Beschreibung',
  'Below the heading, in lists and for search engines':
    'Unter der Überschrift, in Listen und für Suchmaschinen',
  Heading: 'Überschrift',
  'Only if the heading of the page differs from the title':
    'Nur, wenn die Überschrift der Seite anders lautet als der Titel',
  Address: 'Adresse',
  'The end of the page’s address. It follows the title until the page is published':
    'Das Ende der Adresse der Seite. Sie folgt dem Titel, bis die Seite veröffentlicht ist',
  'The last part of /blog/… Made from the name if empty':
    'Der letzte Teil von /blog/… Wenn leer, wird er aus dem Namen gebildet',
  'The last part of /blog/authors/… Made from the name if empty':
    'Der letzte Teil von /blog/authors/… Wenn leer, wird er aus dem Namen gebildet',
  'The last part of /blog/tags/… Made from the name if empty':
    'Der letzte Teil von /blog/tags/… Wenn leer, wird er aus dem Namen gebildet',
  'Former addresses': 'Frühere Adressen',
  'The last part of each former address, one in each line: visitors who ask for it are sent to the present one':
    'Der letzte Teil jeder früheren Adresse, eine je Zeile: Wer sie aufruft, wird zur jetzigen geleitet',
  Text: 'Text',
  Sections: 'Abschnitte',
  'Questions and answers': 'Fragen und Antworten',
  'Shown below the text': 'Unter dem Text',
  Question: 'Frage',
  Answer: 'Antwort',
  Date: 'Datum',
  'Plan ahead': 'Planen',
  'Shown from': 'Sichtbar ab',
  'Published, but not shown before this moment. Empty: at once':
    'Veröffentlicht, aber erst ab diesem Zeitpunkt zu sehen. Leer: sofort',
  'Shown until': 'Sichtbar bis',
  'No longer shown from this moment on. Empty: for ever':
    'Ab diesem Zeitpunkt nicht mehr zu sehen. Leer: dauerhaft',
  'Shown, and sorts the lists. The article is not shown before it. Set at the first publication if it is empty':
    'Wird gezeigt und sortiert die Listen. Vorher ist der Artikel nicht zu sehen. Wenn leer, wird es beim ersten Veröffentlichen gesetzt',
  Cover: 'Titelbild',
  Category: 'Kategorie',
  'An article without a category has no address and is not shown':
    'Ein Artikel ohne Kategorie hat keine Adresse und wird nicht gezeigt',
  Author: 'Autor',
  Tags: 'Schlagwörter',
  'Each tag has a page with its articles': 'Zu jedem Schlagwort gibt es eine Seite mit seinen Artikeln',
  'Place in the list': 'Platz in der Liste',
  'The smallest number comes first. Entries without one come last':
    'Die kleinste Zahl steht vorn. Einträge ohne Zahl stehen am Ende',
  'Show the contact form': 'Kontaktformular zeigen',
  'Above the text of a page, and below that of a product':
    'Über dem Text einer Seite, und unter dem eines Produkts',

  // What buyers ask.
  Facts: 'Fakten',
  Fact: 'Fakt',
  'Price, arrival, limits: shown below the heading. Three or four':
    'Preis, Ankunft, Grenzen: unter der Überschrift. Drei oder vier',
  'What it is': 'Was es ist',
  'Such as Price, Arrival, Limit': 'Etwa Preis, Ankunft, Grenze',
  Value: 'Wert',
  'A few words, such as “from 0.35 USD”': 'Wenige Worte, etwa „ab 0,35 USD“',
  'Contact person': 'Ansprechperson',
  'Who answers the contact form: the name of an author, who is shown beside it with portrait and hours':
    'Wer das Kontaktformular beantwortet: der Name eines Autors, der mit Bild und Zeiten daneben steht',
  'Who answers the contact form, in place of the person of the settings: the name of an author':
    'Wer das Kontaktformular beantwortet, statt der Person der Einstellungen: der Name eines Autors',
  Hours: 'Zeiten',
  'When this person answers, such as Monday to Friday, 08:00–18:00 UTC':
    'Wann diese Person antwortet, etwa Montag bis Freitag, 8–18 Uhr',
  'After sending': 'Nach dem Senden',
  'Said to those who have sent a message, such as: You hear from us within one working day':
    'Steht dort, wo jemand eine Nachricht gesendet hat, etwa: Sie hören innerhalb eines Werktags von uns',
  Topics: 'Themen',
  'One in each line: visitors choose among them. Without topics they type one':
    'Eines je Zeile: Besucher wählen daraus. Ohne Themen schreiben sie eines',
  // Forms.
  'Block “Form”': 'Block „Formular“',
  'Field of a form': 'Feld eines Formulars',
  Label: 'Beschriftung',
  'What visitors shall fill in, such as “Your telephone”': 'Was Besucher ausfüllen, etwa „Ihr Telefon“',
  'Without one it is a text of one line': 'Ohne Art ist es ein Text von einer Zeile',
  'Must be filled in': 'Muss ausgefüllt werden',
  Hint: 'Hinweis',
  'Shown below the label': 'Unter der Beschriftung',
  Choices: 'Auswahl',
  'One in each line, for a choice': 'Eine je Zeile, für die Art „choice“',
  Fields: 'Felder',
  Addressee: 'Empfänger',
  'The e-mail address that gets the messages. No page shows it. Without one it is that of the contact form':
    'Die E-Mail-Adresse, an die die Nachrichten gehen. Keine Seite zeigt sie. Ohne sie ist es die des Kontaktformulars',
  'Two or three, such as “Send the request”': 'Zwei oder drei, etwa „Anfrage senden“',
  Thanks: 'Dank',
  'Shown after a message was sent': 'Steht dort, wo jemand eine Nachricht gesendet hat',
  'The page with the form': 'Die Seite mit dem Formular',
  'As the form had it when the message came': 'Wie im Formular, als die Nachricht kam',
  'Supervisory authority': 'Aufsichtsbehörde',
  'A sentence or a name for the footer, such as: Supervised by BaFin':
    'Ein Satz oder ein Name für die Fußzeile, etwa: Beaufsichtigt von der BaFin',
  Year: 'Jahr',
  'Of the copyright, in the footer, such as 2026 or 2019–2026':
    'Des Urheberrechts, in der Fußzeile, etwa 2026 oder 2019–2026',

  'Block “Voices of customers”': 'Block „Stimmen von Kunden“',
  'Voice of a customer': 'Stimme eines Kunden',
  Voices: 'Stimmen',
  Words: 'Worte',
  'Portrait or logo': 'Porträt oder Logo',
  Figure: 'Zahl',
  'What has changed, such as “40 hours are 3”': 'Was sich geändert hat, etwa „aus 40 Stunden wurden 3“',

  // Offers.
  Offer: 'Angebot',
  'Words of the button': 'Worte auf dem Knopf',
  'Two or three, such as “Talk to us”': 'Zwei oder drei, etwa „Sprechen Sie mit uns“',
  Sentence: 'Satz',
  'What a visitor gets, shown beside the button': 'Was Besucher bekommen: steht neben dem Knopf',
  'Only if it differs from the offer of the settings': 'Nur, wenn es anders lautet als in den Einstellungen',
  'Articles of the category end in it, in place of the offer of the settings':
    'Artikel der Kategorie enden damit, statt mit dem Angebot der Einstellungen',
  'A button in the header, beside headings and at the end of pages. Pages and categories may have another':
    'Ein Knopf in der Kopfzeile, bei Überschriften und am Ende der Seiten. Seiten und Kategorien können ein anderes haben',
  'Show no offer': 'Kein Angebot zeigen',
  'For legal pages, such as terms': 'Für rechtliche Seiten wie die AGB',

  'Rarely needed': 'Selten gebraucht',
  'Uses since the site started': 'Aufrufe seit Start der Website',
  Uses: 'Verwendet',
  'Last change': 'Letzte Änderung',

  // Search engines.
  'Search engines': 'Suchmaschinen',
  'Only where the values of the page itself do not fit': 'Nur, wo die Werte der Seite selbst nicht passen',
  'Title for search engines': 'Titel für Suchmaschinen',
  'Only if it differs from the title': 'Nur, wenn er anders lautet als der Titel',
  'Description for search engines': 'Beschreibung für Suchmaschinen',
  'Only if it differs from the description': 'Nur, wenn sie anders lautet als die Beschreibung',
  'From earlier: a title in the group above counts': 'Von früher: Ein Titel in der Gruppe darüber gilt',
  'From earlier: a description in the group above counts':
    'Von früher: Eine Beschreibung in der Gruppe darüber gilt',
  'From earlier: a picture in the group above counts': 'Von früher: Ein Bild in der Gruppe darüber gilt',
  'Picture of shared links': 'Bild geteilter Links',
  'Without it, shared links show the cover': 'Ohne dieses Bild zeigen geteilte Links das Titelbild',
  'Canonical address': 'Kanonische Adresse',
  'Only if the text was first published elsewhere: the address of that page':
    'Nur, wenn der Text zuerst anderswo erschienen ist: die Adresse jener Seite',
  'Rules for search engines': 'Regeln für Suchmaschinen',
  'noindex hides the page from search engines, from the sitemap and from feeds':
    'noindex hält die Seite aus Suchmaschinen, der Sitemap und den Feeds heraus',
  'For search engines': 'Für Suchmaschinen',
  'Structured data 1': 'Strukturierte Daten 1',
  'Structured data 2': 'Strukturierte Daten 2',
  'Structured data 3': 'Strukturierte Daten 3',
  'JSON-LD for search engines': 'JSON-LD für Suchmaschinen',

  // Messages of forms.
  'Message of a form': 'Nachricht eines Formulars',
  Received: 'Eingang',
  Done: 'Erledigt',
  'The start page counts the messages that are not done':
    'Die Startseite zählt die Nachrichten, die nicht erledigt sind',
  Topic: 'Thema',
  Company: 'Unternehmen',
  Message: 'Nachricht',
  Consent: 'Einwilligung',
  'The sentence to which the subscriber has agreed': 'Der Satz, dem der Abonnent zugestimmt hat',
  Confirmed: 'Bestätigt',
  'Has left the list': 'Hat die Liste verlassen',
  Inbox: 'Posteingang',
  'All messages': 'Alle Nachrichten',
  'not done': 'nicht erledigt',
  'Answer by e-mail': 'Per E-Mail antworten',
  'Export as CSV': 'Als CSV exportieren',

  // Approval.
  'Ready to publish': 'Bereit zum Veröffentlichen',
  'Tells the editors that this draft waits for them. Publishing takes it off':
    'Sagt der Redaktion, dass dieser Entwurf auf sie wartet. Veröffentlichen hebt es auf',
  'No draft waits': 'Kein Entwurf wartet',
  Preview: 'Vorschau',

  // Problems of the site.
  'Problems of the site': 'Probleme der Website',
  'On the site': 'Auf der Website',
  'Entry is not shown': 'Eintrag wird nicht gezeigt',
  'Entry is shown as it was before': 'Eintrag wird in seiner früheren Fassung gezeigt',
  'Two entries with one address': 'Zwei Einträge mit einer Adresse',
  'Address belongs to the site': 'Adresse gehört der Website selbst',
  'Value is not shown': 'Wert wird nicht gezeigt',
  'Shown as plain text': 'Nur als Text gezeigt',
  'Elements are not shown': 'Elemente werden nicht gezeigt',
  'Address is not allowed': 'Adresse ist nicht erlaubt',
  'JSON cannot be read': 'JSON ist nicht lesbar',
  'Redirect does nothing': 'Weiterleitung ohne Wirkung',
  'Link that leads nowhere': 'Link ins Leere',
  'Link by a redirect, which works': 'Link über eine Weiterleitung, der funktioniert',
  'To set up': 'Einzurichten',
  'Nothing is left out': 'Nichts ist ausgelassen',
  'Pages that link here:': 'Seiten mit Links hierher:',
  'Set PROBLEMS_TOKEN in CMS and site': 'PROBLEMS_TOKEN in CMS und Website setzen',
  'The site does not answer': 'Die Website antwortet nicht',
  'The site last heard of a change:': 'Die Website erfuhr zuletzt von einer Änderung:',
  'No change has reached the site yet': 'Noch keine Änderung hat die Website erreicht',

  // People, redirects, countries.
  Name: 'Name',
  'About the author': 'Über den Autor',
  Position: 'Position',
  'Such as “Head of payouts”': 'Etwa „Leiterin Auszahlungen“',
  Picture: 'Bild',
  'A portrait or a drawing, shown small below or beside the heading':
    'Ein Porträt oder eine Zeichnung, klein unter oder neben der Überschrift',
  'Old address': 'Alte Adresse',
  'Such as /old-page, or /old/** for all addresses below /old':
    'Etwa /alte-seite, oder /alt/** für alle Adressen unter /alt',
  'New address': 'Neue Adresse',
  'Such as /about or https://shop.example.com. Empty for 410':
    'Etwa /about oder https://shop.example.com. Leer bei 410',
  Status: 'Status',
  '307 and 302: for now. 308 and 301: for ever. 410: the page is gone':
    '307 und 302: vorläufig. 308 und 301: auf Dauer. 410: Die Seite gibt es nicht mehr',
  'Although a page is there': 'Obwohl es dort eine Seite gibt',
  'Nobody sees that page any more': 'Niemand sieht diese Seite mehr',
  'Address of the profile': 'Adresse des Profils',
  Icon: 'Symbol',
  'Name in English': 'Name auf Englisch',
  'The map finds the country by it': 'Damit findet die Karte das Land',
  'Name as shown': 'Name, wie er gezeigt wird',
  'Only if it differs from the name in English': 'Nur, wenn er anders lautet als der englische Name',
  'Address of the link': 'Adresse des Links',
  Flag: 'Flagge',

  // Home page.
  'First block': 'Erster Block',
  'First block: icons': 'Erster Block: Symbole',
  'The caption of a file is the text beside its icon':
    'Die Bildunterschrift einer Datei ist der Text neben ihrem Symbol',
  'Block “Countries”': 'Block „Länder“',
  'Block “Payment methods”': 'Block „Zahlungsarten“',
  'Block “Payment methods”: pictures': 'Block „Zahlungsarten“: Bilder',
  'Block “Directions”': 'Block „Geschäftsfelder“',
  'Block “Partners”': 'Block „Partner“',
  'Block “Figures”': 'Block „Zahlen“',
  'Block “Subscribe”': 'Block „Abonnieren“',
  'Block “Figures”: amounts': 'Block „Zahlen“: Beträge',
  'In the currency of the settings': 'In der Währung der Einstellungen',
  'Block “Figures”: qualities': 'Block „Zahlen“: Eigenschaften',
  'Block “Earn more”': 'Block „Mehr verdienen“',
  'Block “Contacts”': 'Block „Kontakt“',
  'Block “Contacts”: list with check marks': 'Block „Kontakt“: Liste mit Häkchen',
  'Block “Questions”': 'Block „Fragen“',
  'Block “Questions”: text beside the questions': 'Block „Fragen“: Text neben den Fragen',
  'Block “Subscribe”: social networks': 'Block „Abonnieren“: soziale Netzwerke',
  'Order of the blocks': 'Reihenfolge der Blöcke',
  'Drag to sort. A block that is not in the list is not shown; an empty list shows all':
    'Zum Sortieren ziehen. Ein Block, der nicht in der Liste steht, wird nicht gezeigt; eine leere Liste zeigt alle',
  Block: 'Block',
  'ownText for a text of your own': 'ownText für einen eigenen Text',
  'Own text': 'Eigener Text',
  Hidden: 'Ausgeblendet',
  'Visitors do not see it; its texts stay': 'Besucher sehen ihn nicht; seine Texte bleiben',
  'Name in the list': 'Name in der Liste',
  'Name for links': 'Name für Links',
  'Links to /#name lead to this text': 'Links zu /#name führen zu diesem Text',
  'In the order of the page: drag to sort': 'In der Reihenfolge der Seite: zum Sortieren ziehen',
  'Empty: a map of the world if it has a place of a country of this page, else plain. A kind without its content is plain, too':
    'Leer: eine Weltkarte, wenn sie den Ort eines Landes dieser Seite hat, sonst schlicht. Schlicht ist auch eine Art ohne ihren Inhalt',
  'For the kind “picture”. A film shows it before it plays':
    'Für die Art „picture“. Ein Film zeigt es, bevor er läuft',
  Film: 'Film',
  'For the kind “film”: MP4 or WebM. It plays when a visitor starts it':
    'Für die Art „film“: MP4 oder WebM. Er läuft, wenn ein Besucher ihn startet',
  Figures: 'Zahlen',
  'For the kind “figures”: two to four, the value in large letters':
    'Für die Art „figures“: zwei bis vier, der Wert in großen Buchstaben',
  Tickets: 'Tickets',
  'For the kind “ticket”: what a visitor gets, each with a button. The first is shown at first':
    'Für die Art „ticket“: was ein Besucher bekommt, jedes mit einem Knopf. Zuerst ist das erste zu sehen',
  Ticket: 'Ticket',
  'On the button that shows the ticket, such as Germany → Vietnam':
    'Auf dem Knopf, der das Ticket zeigt, etwa Deutschland → Vietnam',
  'Words above the amount': 'Wörter über dem Betrag',
  'In large letters': 'In großen Buchstaben',
  'Line below the amount': 'Zeile unter dem Betrag',
  'Such as the hour of arrival': 'Etwa die Stunde der Ankunft',
  Lines: 'Zeilen',
  From: 'Von',
  'A country: the map behind the ticket joins both': 'Ein Land: Die Karte hinter dem Ticket verbindet beide',
  To: 'Nach',
  'A country': 'Ein Land',
  'Line above the title': 'Zeile über dem Titel',
  'First button': 'Erster Knopf',
  'Second button': 'Zweiter Knopf',
  Button: 'Knopf',
  Items: 'Einträge',
  Amount: 'Betrag',
  'Text below the amount': 'Text unter dem Betrag',
  Note: 'Anmerkung',
  'Small print': 'Kleingedrucktes',
  Steps: 'Schritte',
  'E-mail address': 'E-Mail-Adresse',
  'Telephone number': 'Telefonnummer',
  'Postal address': 'Postanschrift',
  Link: 'Link',
  'Only below a link of the header: what visitors find there, in ten words or less':
    'Nur unter einem Link der Kopfzeile: was Besucher dort finden, in höchstens zehn Worten',
  'Links below it': 'Links darunter',
  'The menu of the header shows the first one large, if it has a sentence. Its icon may be a picture':
    'Das Menü der Kopfzeile zeigt den ersten groß, wenn er einen Satz hat. Sein Symbol darf ein Bild sein',
  'A path such as /about, https://…, mailto:… or tel:…':
    'Ein Pfad wie /about, https://…, mailto:… oder tel:…',

  // Sections of texts.
  File: 'Datei',
  'A picture, a film (MP4, WebM), a sound (MP3, M4A), or another file to download':
    'Ein Bild, ein Film (MP4, WebM), ein Ton (MP3, M4A) oder eine andere Datei zum Herunterladen',
  Caption: 'Bildunterschrift',
  'Shown before the film plays': 'Zu sehen, bevor der Film läuft',
  Captions: 'Untertitel',
  'A file in the form WebVTT (.vtt), for those who do not hear the film':
    'Eine Datei im Format WebVTT (.vtt), für alle, die den Film nicht hören',
  Pictures: 'Bilder',
  'The caption of a file is shown below its picture':
    'Die Bildunterschrift einer Datei steht unter ihrem Bild',
  Kind: 'Art',
  'note, tip or warning': 'note (Hinweis), tip (Tipp) oder warning (Warnung)',
  'Of a film on YouTube or Vimeo, as the browser shows it':
    'Eines Films auf YouTube oder Vimeo, wie der Browser sie zeigt',
  'Title of the film': 'Titel des Films',

  // Settings.
  'Name of the site': 'Name der Website',
  Language: 'Sprache',
  'Of the words around the content, of dates and numbers: en-GB, de-DE or ar-EG, for example. If it is empty, the configuration of the site decides, as for the next two':
    'Der Wörter um den Inhalt, der Daten und Zahlen: zum Beispiel en-GB, de-DE oder ar-EG. Wenn leer, entscheidet die Konfiguration der Website, wie bei den nächsten beiden',
  'Time zone': 'Zeitzone',
  'Of dates, such as Europe/Berlin': 'Der Daten, etwa Europe/Berlin',
  Currency: 'Währung',
  'Of the amounts on the home page: three letters such as EUR':
    'Der Beträge auf der Startseite: drei Buchstaben wie EUR',
  'Words of the interface': 'Wörter der Oberfläche',
  'Texts of your own in place of those of the site. {count} and other words in braces are filled in':
    'Eigene Texte anstelle derer der Website. {count} und andere Wörter in Klammern werden ersetzt',
  Word: 'Wort',
  'Words with a number have a text for each form: one, few, other':
    'Wörter mit einer Zahl haben einen Text je Form: one, few, other',
  'Page about visitors’ data': 'Seite über die Daten der Besucher',
  'Both forms link to it': 'Beide Formulare verweisen darauf',
  'Consent of subscribers': 'Einwilligung der Abonnenten',
  'One sentence, with links if you like. The subscribe form then asks for it, and each subscription has it':
    'Ein Satz, auf Wunsch mit Links. Das Formular fragt dann danach, und jedes Abonnement enthält ihn',
  'What scripts of other sites are for': 'Wozu Skripte anderer Websites dienen',
  'Shown where visitors are asked for them: each purpose, and a link to the page about it. The title and the buttons are words of the interface':
    'Steht dort, wo Besucher danach gefragt werden: jeder Zweck, und ein Link zur Seite darüber. Titel und Schaltflächen sind Wörter der Oberfläche',
  'Links in the header': 'Links in der Kopfzeile',
  'Links in the footer': 'Links in der Fußzeile',
  'Social networks of the company': 'Soziale Netzwerke des Unternehmens',
  'The company': 'Das Unternehmen',
  'Legal name of the company': 'Firma',
  'With its form, such as Nordwind GmbH. This and the next three are shown in the footer, and to search engines':
    'Mit Rechtsform, etwa Nordwind GmbH. Dies und die nächsten drei stehen in der Fußzeile und für Suchmaschinen bereit',
  'Address of the company': 'Anschrift des Unternehmens',
  'One line for each part': 'Eine Zeile für jeden Teil',
  'Entry in a register': 'Registereintrag',
  'Such as Amtsgericht Hamburg, HRB 12345': 'Etwa Amtsgericht Hamburg, HRB 12345',
  'VAT ID': 'USt-IdNr.',
  'The number alone, such as DE123456789': 'Nur die Nummer, etwa DE123456789',
  Logo: 'Logo',
  'In header, footer, e-mails and shared links, and for search engines. A wide drawing has the name; beside a square one the name is written. SVG, PNG or JPEG, at least 112 pixels wide and high; not every mail program shows SVG':
    'In Kopf- und Fußzeile, E-Mails und geteilten Links und für Suchmaschinen. Eine breite Zeichnung enthält den Namen; neben einer quadratischen steht er als Text. SVG, PNG oder JPEG, mindestens 112 Pixel breit und hoch; nicht jedes Mailprogramm zeigt SVG',
  'Logo on dark surfaces': 'Logo auf dunklen Flächen',
  'Only beside a logo. Without it, the logo serves both':
    'Nur neben einem Logo. Fehlt es, dient das Logo für beide',
  'Stay out of AI search': 'Der KI-Suche fernbleiben',
  'robots.txt asks the crawlers of these search engines to leave. Google and Bing are not meant':
    'robots.txt bittet die Crawler dieser Suchmaschinen fortzubleiben. Google und Bing sind nicht gemeint',
  'Refuse the training of AI models': 'Das Training von KI-Modellen ablehnen',
  'robots.txt asks crawlers that collect texts for training to leave':
    'robots.txt bittet Crawler, die Texte fürs Training sammeln, fortzubleiben',
  'Stay out of answers by AI assistants': 'Antworten von KI-Assistenten fernbleiben',
  'robots.txt asks assistants not to read pages for the people who use them':
    'robots.txt bittet Assistenten, keine Seiten für ihre Nutzer zu lesen',
  'For pages without one. 1200 × 630 pixels look best; no SVG':
    'Für Seiten ohne eigenes. Am besten 1200 × 630 Pixel; kein SVG',
  'Accent colour': 'Akzentfarbe',
  'Of links and buttons, such as #0b6b4f. It is used if texts in it can be read on light surfaces; dark ones get a lighter shade':
    'Der Links und Knöpfe, etwa #0b6b4f. Sie gilt, wenn Texte in ihr auf hellen Flächen lesbar sind; dunkle bekommen einen helleren Ton',
  'Keep quotes and dashes as typed': 'Anführungszeichen und Striche so lassen, wie sie getippt sind',
  'Else pages show "a" as “a”, it\'s as it’s, and a hyphen between two words as a dash. Code and addresses always stay as they are':
    'Sonst zeigen Seiten "a" als „a“, it\'s als it’s und einen Bindestrich zwischen zwei Wörtern als Gedankenstrich. Code und Adressen bleiben immer, wie sie sind',
  'Own stylesheets': 'Eigene Stylesheets',
  'Own scripts': 'Eigene Skripte',
  'Shown after the text, in this order: quotations, pictures, films, callouts, and blocks such as steps. Drag to sort':
    'Hinter dem Text, in dieser Reihenfolge: Zitate, Bilder, Filme, Hinweise und Blöcke wie „Schritte“. Zum Sortieren ziehen',
  'Shown below the first page of the list, in this order. Drag to sort':
    'Unter der ersten Seite der Liste, in dieser Reihenfolge. Zum Sortieren ziehen',
  'Block “Steps”': 'Block „Schritte“',
  'Block “Table”': 'Block „Tabelle“',
  Rows: 'Zeilen der Tabelle',
  'One row in each line, its cells divided by | or a tab: cells of a spreadsheet can be pasted. The first row has the headings':
    'Je Zeile eine Reihe, die Zellen durch | oder Tabulator getrennt: Zellen einer Tabellenkalkulation lassen sich einfügen. Die erste Reihe hat die Überschriften',
  'Block “People”': 'Block „Menschen“',
  People: 'Menschen',
  'Block “Download”': 'Block „Dateien“',
  Files: 'Dateien',
  'PDF files and pictures. The caption of a file is its name on the page':
    'PDF-Dateien und Bilder. Die Beschriftung einer Datei ist ihr Name auf der Seite',
  'Block “Call to action”': 'Block „Aufforderung“',
  Person: 'Person',

  // The tools of texts.
  'Link to an entry': 'Link auf einen Eintrag',
  'Title of the entry': 'Titel des Eintrags',
  draft: 'Entwurf',
  'As wide as the text': 'So breit wie der Text',
  'Half as wide': 'Halb so breit',
  Small: 'Klein',
  Size: 'Größe',
  Insert: 'Einfügen',
};
