/* ds/iterator.c -- going through the entries of a dictionary, which may change meanwhile: DI7 of ds/dictionary.c.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/mem.h"
#include "base/readers.h"
#include "ds/buckets.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- Iterators (DI7) */

static bool iterator_usable(const qt_dictionary_iterator *it)
{
	return it && it != ERROR;
}

static bool place_before(struct place a, struct place b)
{
	return a.hash < b.hash || (a.hash == b.hash && a.key < b.key);
}

/* In a section: the least entry of the chain that is behind a place.  False if there is none. */
static bool chain_next(struct qt_dictionary *d, struct bucket *b, uint64_t head, const struct place *from,
	list_entry *least)
{
	struct walk w = walk_begin(b, head);
	bool any = false;

	while (walk_on(&w)) {
		void *key = walk_key(&w), *value = walk_value(&w);
		const struct place here = { dict_hash(d, key), (uintptr_t)key };

		if (from && !place_before(*from, here))
			continue;
		if (any && !place_before(here, (struct place){ least->hashed_key, (uintptr_t)least->key }))
			continue;
		*least = (list_entry){ .value = value, .key = key, .hashed_key = here.hash };
		any = true;
	}
	return any;
}

/* In a section: the least entry behind a place, or of all. */
static bool dict_next(struct qt_dictionary *d, const struct place *from, list_entry *least)
{
	for (uint64_t hash = from ? from->hash : 0;;) {
		struct found f;
		struct table *t;

		f.bucket = dict_bucket(d, hash, &f.head, &t);
		const bool any = chain_next(d, f.bucket, f.head, from, least);
		if (!found_still(&f))
			continue;
		if (any)
			return true;
		hash = ((hash >> t->shift) + 1) << t->shift;
		if (hash == 0)
			return false;
	}
}

qt_dictionary_iterator *qt_dictionary_iterator_create(qt_dictionary *dict)
{
	qt_dictionary_iterator *it = dict ? qti_mem_alloc(sizeof(*it)) : NULL;

	if (!it)
		return ERROR;
	*it = (qt_dictionary_iterator){ .dict = dict, .state = BEFORE_FIRST };
	return it;
}

void qt_dictionary_iterator_destroy(qt_dictionary_iterator *it)
{
	if (iterator_usable(it) && !it->owned)
		qti_mem_free(it);
}

list_entry *qt_dictionary_iterator_next(qt_dictionary_iterator *it)
{
	if (!iterator_usable(it) || it->state == AT_END)
		return NULL;
	const struct place from = { it->entry.hashed_key, (uintptr_t)it->entry.key };
	struct qti_reader *r = qti_reader_enter();
	const bool any = dict_next(it->dict, it->state == ON_ENTRY ? &from : NULL, &it->entry);
	qti_reader_leave(r);
	it->state = any ? ON_ENTRY : AT_END;
	if (any) {
		qti_race_acquire_as(it->entry.key, QTI_RACE_ELEMENT);
		qti_race_acquire_as(it->entry.value, QTI_RACE_ELEMENT);
	}
	return any ? &it->entry : NULL;
}

list_entry *qt_dictionary_iterator_get(qt_dictionary_iterator const *it)
{
	return iterator_usable(it) && it->state == ON_ENTRY ? (list_entry *)&it->entry : NULL;
}

qt_dictionary_iterator *qt_dictionary_end(qt_dictionary *dict)
{
	return dict ? &dict->end : NULL;
}

int qt_dictionary_iterator_equals(qt_dictionary_iterator *a, qt_dictionary_iterator *b)
{
	if (!iterator_usable(a) || !iterator_usable(b))
		return a == b;
	if (a->dict != b->dict || a->state != b->state)
		return 0;
	return a->state != ON_ENTRY || (a->entry.hashed_key == b->entry.hashed_key && a->entry.key == b->entry.key);
}

qt_dictionary_iterator *qt_dictionary_iterator_copy(qt_dictionary_iterator *b)
{
	qt_dictionary_iterator *it = iterator_usable(b) ? qti_mem_alloc(sizeof(*it)) : NULL;

	if (!it)
		return NULL;
	*it = *b;
	it->owned = false;
	return it;
}

/* ---- Showing */

static void print_chain(struct qt_dictionary *d, struct bucket *b, uint64_t head, uint64_t number)
{
	struct walk w = walk_begin(b, head);

	if (!walk_on(&w))
		return;
	printf("bucket %" PRIu64 ":", number);
	do {
		void *key = walk_key(&w);
		printf(" [%p %016" PRIx64 "]=%p", key, dict_hash(d, key), walk_value(&w));
	} while (walk_on(&w));
	printf("\n");
}

void qt_dictionary_printbuckets(qt_dictionary *dict)
{
	uint64_t hash = 0, head;
	struct table *t;

	if (!dict)
		return;
	do {
		struct qti_reader *r = qti_reader_enter();
		struct bucket *b = dict_bucket(dict, hash, &head, &t);
		print_chain(dict, b, head, hash >> t->shift);
		hash = ((hash >> t->shift) + 1) << t->shift;
		qti_reader_leave(r);
	} while (hash != 0);
}
