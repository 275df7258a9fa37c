/*M!999999\- enable the sandbox mode */ 
-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: shlink
-- ------------------------------------------------------
-- Server version	10.11.19-MariaDB-0+deb12u1

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;

--
-- Table structure for table `api_key_roles`
--

DROP TABLE IF EXISTS `api_key_roles`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `api_key_roles` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `role_name` varchar(255) NOT NULL,
  `meta` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL CHECK (json_valid(`meta`)),
  `api_key_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `api_key_roles`
--

LOCK TABLES `api_key_roles` WRITE;
/*!40000 ALTER TABLE `api_key_roles` DISABLE KEYS */;
INSERT INTO `api_key_roles` VALUES
(1,'AUTHORED_SHORT_URLS','[]',4),
(2,'NO_ORPHAN_VISITS','[]',2);
/*!40000 ALTER TABLE `api_key_roles` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `api_keys`
--

DROP TABLE IF EXISTS `api_keys`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `api_keys` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `expiration_date` datetime DEFAULT NULL,
  `enabled` tinyint(1) NOT NULL,
  `key` varchar(255) NOT NULL,
  `name` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `api_keys`
--

LOCK TABLES `api_keys` WRITE;
/*!40000 ALTER TABLE `api_keys` DISABLE KEYS */;
INSERT INTO `api_keys` VALUES
(1,NULL,1,'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad','Backup script'),
(2,'2027-01-01 00:00:00',1,'cb8379ac2098aa165029e3938a51da0bcecfc008fd6795f401178647f96c5b34','App'),
(3,NULL,0,'a3a3a3','Old'),
(4,NULL,1,'9f9f9f','Guest');
/*!40000 ALTER TABLE `api_keys` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `domains`
--

DROP TABLE IF EXISTS `domains`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `domains` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `authority` varchar(255) NOT NULL,
  `base_url_redirect` text DEFAULT NULL,
  `regular_not_found_redirect` text DEFAULT NULL,
  `invalid_short_url_redirect` text DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `domains`
--

LOCK TABLES `domains` WRITE;
/*!40000 ALTER TABLE `domains` DISABLE KEYS */;
INSERT INTO `domains` VALUES
(1,'go.shlink.test','https://example.com/home','https://example.com/404','https://example.com/lost'),
(2,'Other.shlink.test',NULL,NULL,NULL);
/*!40000 ALTER TABLE `domains` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `redirect_conditions`
--

DROP TABLE IF EXISTS `redirect_conditions`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `redirect_conditions` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `type` varchar(255) NOT NULL,
  `match_key` varchar(512) DEFAULT NULL,
  `match_value` varchar(512) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `redirect_conditions`
--

LOCK TABLES `redirect_conditions` WRITE;
/*!40000 ALTER TABLE `redirect_conditions` DISABLE KEYS */;
INSERT INTO `redirect_conditions` VALUES
(1,'device',NULL,'ios'),
(2,'query-param','utm_source','x'),
(3,'language',NULL,'en-GB'),
(4,'ip-address',NULL,'10.*.1.2');
/*!40000 ALTER TABLE `redirect_conditions` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `redirect_conditions_in_short_url_redirect_rules`
--

DROP TABLE IF EXISTS `redirect_conditions_in_short_url_redirect_rules`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `redirect_conditions_in_short_url_redirect_rules` (
  `redirect_condition_id` bigint(20) NOT NULL,
  `short_url_redirect_rule_id` bigint(20) NOT NULL,
  PRIMARY KEY (`redirect_condition_id`,`short_url_redirect_rule_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `redirect_conditions_in_short_url_redirect_rules`
--

LOCK TABLES `redirect_conditions_in_short_url_redirect_rules` WRITE;
/*!40000 ALTER TABLE `redirect_conditions_in_short_url_redirect_rules` DISABLE KEYS */;
INSERT INTO `redirect_conditions_in_short_url_redirect_rules` VALUES
(1,2),
(2,2),
(3,1),
(4,3);
/*!40000 ALTER TABLE `redirect_conditions_in_short_url_redirect_rules` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `short_url_redirect_rules`
--

DROP TABLE IF EXISTS `short_url_redirect_rules`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `short_url_redirect_rules` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `priority` int(11) NOT NULL,
  `long_url` text NOT NULL,
  `short_url_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `short_url_redirect_rules`
--

LOCK TABLES `short_url_redirect_rules` WRITE;
/*!40000 ALTER TABLE `short_url_redirect_rules` DISABLE KEYS */;
INSERT INTO `short_url_redirect_rules` VALUES
(1,2,'https://example.com/en',1),
(2,1,'https://example.com/ios',1),
(3,3,'https://example.com/inside',1);
/*!40000 ALTER TABLE `short_url_redirect_rules` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `short_url_visits_counts`
--

DROP TABLE IF EXISTS `short_url_visits_counts`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `short_url_visits_counts` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `potential_bot` tinyint(1) NOT NULL DEFAULT 0,
  `count` bigint(20) NOT NULL DEFAULT 1,
  `slot_id` int(11) NOT NULL,
  `short_url_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `short_url_visits_counts`
--

LOCK TABLES `short_url_visits_counts` WRITE;
/*!40000 ALTER TABLE `short_url_visits_counts` DISABLE KEYS */;
INSERT INTO `short_url_visits_counts` VALUES
(1,0,5,1,1),
(2,0,2,2,1),
(3,1,1,1,1);
/*!40000 ALTER TABLE `short_url_visits_counts` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `short_urls`
--

DROP TABLE IF EXISTS `short_urls`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `short_urls` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `original_url` text NOT NULL,
  `short_code` varchar(255) NOT NULL,
  `date_created` datetime NOT NULL,
  `valid_since` datetime DEFAULT NULL,
  `valid_until` datetime DEFAULT NULL,
  `max_visits` int(11) DEFAULT NULL,
  `import_source` varchar(255) DEFAULT NULL,
  `import_original_short_code` varchar(255) DEFAULT NULL,
  `title` varchar(512) DEFAULT NULL,
  `title_was_auto_resolved` tinyint(1) NOT NULL DEFAULT 0,
  `crawlable` tinyint(1) NOT NULL DEFAULT 0,
  `forward_query` tinyint(1) NOT NULL DEFAULT 1,
  `domain_id` bigint(20) DEFAULT NULL,
  `author_api_key_id` bigint(20) DEFAULT NULL,
  `long_url_hash` binary(32) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `short_urls`
--

LOCK TABLES `short_urls` WRITE;
/*!40000 ALTER TABLE `short_urls` DISABLE KEYS */;
INSERT INTO `short_urls` VALUES
(1,'https://example.com/?utm_source=news','Spring','2024-05-01 10:20:30',NULL,NULL,NULL,NULL,NULL,'It\'s \"spring\" \\ 50 % üå∑',0,1,1,NULL,1,'-qB∑&∞Db|©˚¨2ı»S±ê<ƒ€%áí\ZHÅ'),
(2,'https://example.org/caf√©','guide/start','2024-05-02 10:20:30','2024-06-01 00:00:00','2030-01-01 00:00:00',100,NULL,NULL,NULL,0,0,0,1,1,'-qB∑&∞Db|©˚¨2ı»S±ê<ƒ€%áí\ZHÅ'),
(3,'https://example.net/','√©t√©-üç™','2024-05-03 10:20:30',NULL,NULL,NULL,'bitly','abc',NULL,1,0,1,NULL,NULL,'-qB∑&∞Db|©˚¨2ı»S±ê<ƒ€%áí\ZHÅ');
/*!40000 ALTER TABLE `short_urls` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `short_urls_in_tags`
--

DROP TABLE IF EXISTS `short_urls_in_tags`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `short_urls_in_tags` (
  `short_url_id` bigint(20) NOT NULL,
  `tag_id` bigint(20) NOT NULL,
  PRIMARY KEY (`short_url_id`,`tag_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `short_urls_in_tags`
--

LOCK TABLES `short_urls_in_tags` WRITE;
/*!40000 ALTER TABLE `short_urls_in_tags` DISABLE KEYS */;
INSERT INTO `short_urls_in_tags` VALUES
(1,1),
(1,2),
(2,1);
/*!40000 ALTER TABLE `short_urls_in_tags` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `tags`
--

DROP TABLE IF EXISTS `tags`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tags` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(255) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tags`
--

LOCK TABLES `tags` WRITE;
/*!40000 ALTER TABLE `tags` DISABLE KEYS */;
INSERT INTO `tags` VALUES
(1,'games'),
(2,'√ât√© & tech');
/*!40000 ALTER TABLE `tags` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `visit_locations`
--

DROP TABLE IF EXISTS `visit_locations`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `visit_locations` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `country_code` varchar(255) DEFAULT NULL,
  `country_name` varchar(255) DEFAULT NULL,
  `region_name` varchar(255) DEFAULT NULL,
  `city_name` varchar(255) DEFAULT NULL,
  `timezone` varchar(255) DEFAULT NULL,
  `lat` double NOT NULL,
  `lon` double NOT NULL,
  `is_empty` tinyint(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `visit_locations`
--

LOCK TABLES `visit_locations` WRITE;
/*!40000 ALTER TABLE `visit_locations` DISABLE KEYS */;
INSERT INTO `visit_locations` VALUES
(1,'US','United States','California','Cupertino','America/Los_Angeles',37.3,-122.09,0),
(2,'','','','','',0,0,1);
/*!40000 ALTER TABLE `visit_locations` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `visits`
--

DROP TABLE IF EXISTS `visits`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `visits` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `referer` varchar(1024) DEFAULT NULL,
  `date` datetime NOT NULL,
  `remote_addr` varchar(255) DEFAULT NULL,
  `user_agent` varchar(512) DEFAULT NULL,
  `visited_url` varchar(2048) DEFAULT NULL,
  `type` varchar(255) NOT NULL,
  `potential_bot` tinyint(1) NOT NULL DEFAULT 0,
  `redirect_url` varchar(2048) DEFAULT NULL,
  `short_url_id` bigint(20) DEFAULT NULL,
  `visit_location_id` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `visits`
--

LOCK TABLES `visits` WRITE;
/*!40000 ALTER TABLE `visits` DISABLE KEYS */;
INSERT INTO `visits` VALUES
(1,'https://www.t.co/x','2024-05-03 10:05:03','192.0.2.0','Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36','https://s.test/Spring?utm_medium=mail','valid_short_url',0,'https://example.com/',1,1),
(2,'','2024-05-03 10:59:59','192.0.2.0','Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1','https://s.test/Spring','valid_short_url',0,'https://example.com/',1,2),
(3,'','2024-05-03 11:00:00','192.0.2.0','Googlebot/2.1','https://s.test/Spring','valid_short_url',1,'https://example.com/',1,NULL),
(4,'','2024-05-03 11:30:00','192.0.2.0','curl/8','https://s.test/','base_url',0,NULL,NULL,NULL);
/*!40000 ALTER TABLE `visits` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed on 2026-11-27  5:32:32
