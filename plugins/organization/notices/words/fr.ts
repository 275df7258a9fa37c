import type { Words } from './sentences.ts'

export const fr: Words = {
  kinds: {
    limits: 'les limites de votre offre',
    endingLinks: 'les liens qui se terminent bientôt',
    blockedLinks: 'les liens bloqués',
    deadLinks: 'les liens dont l’adresse ne répond pas',
    webhooks: 'les webhooks désactivés',
    imports: 'les importations terminées',
    weekly: 'les chiffres de la semaine',
    others: 'les messages des extensions',
  },
  because: (brand, about) => `${brand} vous écrit sur ${about}.`,
  end: 'Ne plus recevoir ces messages',
  choose: 'Choisir ce que vous recevez',
  more: n => (n === 1 ? 'Et un autre.' : `Et ${n} autres.`),
  limits: {
    subject: isReached =>
      isReached
        ? 'Une limite de votre offre est atteinte'
        : 'Une limite de votre offre est presque atteinte',
    lead: 'Voici ce qui est utilisé de votre offre :',
    names: {
      maxLinksCreatedPerMonth: 'Nouveaux liens ce mois-ci',
      maxTrackedVisitsPerMonth: 'Visites comptées ce mois-ci',
      maxTags: 'Étiquettes',
      maxCampaigns: 'Campagnes',
    },
    used: (used, limit) => `${used} sur ${limit}`,
    nextMonth: 'Le compte recommence le premier jour du mois prochain (UTC).',
  },
  endingLinks: {
    subject: n => (n === 1 ? 'Un lien se termine bientôt' : `${n} liens se terminent bientôt`),
    lead: 'Ensuite, les visiteurs n’iront pas plus loin, sauf si vous choisissez une autre fin.',
    on: date => `Se termine le ${date}`,
    left: n => (n === 1 ? 'Il reste une visite' : `Il reste ${n} visites`),
  },
  blockedLinks: {
    subject: n => (n === 1 ? 'Un lien est bloqué' : `${n} liens sont bloqués`),
    lead: 'L’adresse s’est révélée dangereuse. Les visiteurs voient une page qui le dit.',
  },
  deadLinks: {
    subject: n =>
      n === 1 ? 'L’adresse d’un lien ne répond pas' : `Les adresses de ${n} liens ne répondent pas`,
    lead: 'Les visiteurs y sont toujours envoyés.',
  },
  leadsTo: address => `Mène à ${address}`,
  webhooks: {
    subject: n => (n === 1 ? 'Un webhook est désactivé' : `${n} webhooks sont désactivés`),
    lead: 'Rien n’est envoyé tant que vous ne le réactivez pas. Ce qu’il manque est gardé sept jours et pourra être envoyé alors.',
    failing: 'Il n’a rien accepté pendant cinq jours.',
    gone: 'Il a répondu 410 : il ne veut plus rien recevoir.',
    open: 'Ouvrir les webhooks',
  },
  imports: {
    subject: isDone => (isDone ? 'Une importation est terminée' : 'Une importation s’est arrêtée'),
    from: source => `Depuis ${source}`,
    counts: (made, refused, visits) =>
      `Liens créés : ${made} ; refusés : ${refused} ; visites : ${visits}`,
    open: 'Ouvrir les importations',
  },
  weekly: {
    subject: visits => `Vos liens la semaine dernière : ${visits} visites`,
    lead: (visits, from, to) => `${visits} visites du ${from} au ${to}.`,
    change: percent =>
      percent === null
        ? 'Il n’y en avait aucune la semaine précédente.'
        : percent === 0
          ? 'Autant que la semaine précédente.'
          : `${Math.abs(percent)} % de ${percent > 0 ? 'plus' : 'moins'} que la semaine précédente.`,
    row: (visits, before) => `Visites : ${visits} ; la semaine précédente : ${before}`,
    open: 'Ouvrir les statistiques',
  },
  others: { subject: n => `${n} messages` },
  test: {
    subject: brand => `Un essai de ${brand}`,
    lead: 'Ce que vous avez choisi de recevoir vous parvient à cette adresse.',
  },
  stop: {
    ask: about => `Ne plus recevoir de messages sur ${about} ?`,
    asked: 'Vous pourrez les choisir à nouveau dans vos paramètres.',
    done: 'Vous ne recevez plus ces messages',
    back: 'Ouvrir les paramètres',
  },
}
